"""Cases with the same number: the book would print both, and a reader who looks one up may find the other."""

from collections.abc import Iterator

from compiler.analysis.omissions import NumberTaken
from compiler.analysis.parties import Party
from compiler.analysis.problems import Problem
from runtime.graph import nodes as graph


def number_taken(stack: graph.Graph) -> Iterator[Problem]:
    """Find cases that have the number of another."""
    first: dict[str, graph.Case] = {}
    for case in sorted(stack.cases.values(), key=lambda each: each.label):
        other = first.setdefault(case.number, case) if case.number else case
        if other is not case:
            yield NumberTaken(case.number, _party(case), _party(other))


def _party(case: graph.Case) -> Party:
    return Party(case.label, case.title, (), case.origin)
