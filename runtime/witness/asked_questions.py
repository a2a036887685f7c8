"""Which questions the examples of a stack ask, so that a comparison plays only those that ask a changed one.

The input is a graph that is compared with several others; the output is for each row of an example the questions that a
run of it asks. Where two stacks differ in the answers of questions alone, a run that asks none of these is the same in
both. (For the 18 disputes of a large game this halves the time.)
"""

from dataclasses import fields

from runtime.examples.run import run_row
from runtime.graph import nodes as graph
from runtime.witness.structural_difference import BOOK, ELSEWHERE

# Parts of a graph that no answer outside of questions depends on.
OF_QUESTIONS = {"rules", "terms", *BOOK, *ELSEWHERE[graph.Graph]}


class AskedQuestions:
    """The runs of the examples of one stack, each made when it is first needed."""

    def __init__(self, rules: graph.Graph) -> None:
        self.rules = rules
        # The example is stored with its questions, so that its identity stays its own.
        self._rows: dict[tuple[int, int], tuple[graph.Example, frozenset[str] | None]] = {}

    def changed_terms(self, a: graph.Graph, b: graph.Graph) -> frozenset[str] | None:
        """Return the questions in whose rules two stacks differ; None if more differs, or the first is not this one."""
        if _changed_terms(self.rules, a) != frozenset():
            return None
        return _changed_terms(a, b)

    def terms_of_row(self, example: graph.Example, row: int) -> frozenset[str] | None:
        """Return the questions that a row asks; None if it fails, as it may stop early."""
        key = id(example), row
        if key not in self._rows:
            run = run_row(self.rules, example, row)
            self._rows[key] = example, None if run.failures else run.terms
        return self._rows[key][1]


def _changed_terms(a: graph.Graph, b: graph.Graph) -> frozenset[str] | None:
    """Return the questions in whose rules two stacks differ; None if more differs than questions."""
    names = (each.name for each in fields(graph.Graph) if each.name not in OF_QUESTIONS)
    if any(getattr(a, name) != getattr(b, name) for name in names):
        return None
    return frozenset(
        name
        for name in a.terms.keys() | b.terms.keys()
        if a.terms.get(name) != b.terms.get(name)
        or any(a.rules.get(label) != b.rules.get(label) for label in a.terms[name].rules)
    )
