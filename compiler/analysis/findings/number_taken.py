"""Cases with the same number: the book would print both, and a reader who looks one up may find the other."""

from collections.abc import Iterator

from compiler.analysis.checks import check_of_stack
from compiler.analysis.parties import Party, party_label
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence, backquoted
from runtime.graph import nodes as graph


@finding("R0528", "number-taken", WARNING)
class NumberTaken(Finding):
    """Two cases are printed under one number."""

    number: str
    case: Party
    first: Party

    def sentence(self) -> Sentence:
        message = f"two cases are numbered `{self.number}`"
        labels = (
            party_label(self.case, backquoted(self.case.label)),
            party_label(self.first, backquoted(self.first.label)),
        )
        return Sentence(message, labels, "give one of them another number")


@check_of_stack
def number_taken(stack: graph.Graph) -> Iterator[NumberTaken]:
    """Find cases that have the number of another."""
    first: dict[str, graph.Case] = {}
    for case in sorted(stack.cases.values(), key=lambda each: each.label):
        other = first.setdefault(case.number, case) if case.number else case
        if other is not case:
            yield NumberTaken(case.number, _party(case), _party(other))


def _party(case: graph.Case) -> Party:
    return Party(case.label, case.title, (), case.origin)
