"""Pieces that play creates without a counter, of a kind whose printed figures are read.

Such a piece shows the only counter of its kind that its side may use. Where there are several, or none for its side, it
has no figures, and the first question that reads one has no answer. Kinds without a chart of counters are skipped:
their figures are tested with `has`, or come from a card.
"""

from collections.abc import Iterator

from compiler.analysis.checks import check_of_stack
from compiler.analysis.parties import Party, StepPlace, party_label
from compiler.analysis.readers_and_setters import step_at
from compiler.source.finding import Finding, finding
from compiler.source.sentence import Sentence, list_words
from runtime.graph import nodes as graph
from runtime.graph.effects import effects_of
from runtime.graph.effects.primitives import CreatePiece
from runtime.graph.members import members_of
from runtime.graph.steps import nested_steps
from runtime.graph.walk import nodes_of


@finding("R0416", "no-figures")
class NoFigures(Finding):
    """A procedure creates a piece of a kind with printed values, and does not state its counter."""

    procedure: Party
    step: StepPlace
    kind: str
    figures: tuple[str, ...]
    counters: tuple[str, ...]

    def sentence(self) -> Sentence:
        message = f"this new {self.kind} has no counter, but rules use its {list_words(self.figures, 'and')}"
        advice = f"name its counter, as in `create {self.counters[0]} at ..`"
        return Sentence(message, (party_label(self.procedure, "created here"),), advice)


@check_of_stack
def no_figures(stack: graph.Graph) -> Iterator[NoFigures]:
    """Find steps that create a piece without figures."""
    read = {
        (node.owner, node.name)
        for part in (stack.rules, stack.procedures)
        for node in nodes_of(graph.Get, part)
        if node.what == "printed"
    }
    for procedure in stack.procedures.values():
        for step in nested_steps(procedure.body):
            for created in effects_of(step):
                if not isinstance(created, CreatePiece) or created.counter:
                    continue
                counters = tuple(each for each in stack.counters.values() if each.kind == created.kind)
                kind = stack.vocabulary.kinds[created.kind]
                printed = (part.name for part in kind.printed if part.name not in dict(kind.first))
                figures = tuple(name for name in printed if (created.kind, name) in read)
                if counters and figures and not _has_unique_counter(created.owner, counters, stack):
                    names = tuple(each.id for each in counters)
                    yield NoFigures(*step_at(procedure, step), created.kind, figures, names)


def _has_unique_counter(owner: graph.Expr | None, counters: tuple[graph.Counter, ...], stack: graph.Graph) -> bool:
    """Return whether there is exactly one counter of the kind for each side that may own the piece."""
    match owner:
        case None:
            sides = [""]
        case graph.Member(name=name):
            sides = [name]
        case _:
            sides = list(members_of(stack.vocabulary, "side"))
    return all(sum(each.owner in ("", side) for each in counters) == 1 for side in sides)
