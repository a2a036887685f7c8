"""Statements that are said to be always so, and are not."""

from compiler.source.finding import Finding, finding
from compiler.source.sentence import Sentence, backquoted, list_words, origin_label
from runtime.graph import nodes as graph


@finding("R0559", "not-always")
class NotAlways(Finding):
    """An `always` statement that is false for these counters, or at the start of the card or example `beginning`.

    `facts` are given with `violators`, the counters or places that violate them, each with its place; the pieces of an
    example have no place of their own, and stand at `example`, the place of the example.
    """

    facts: tuple[tuple[str, graph.Origin], ...]
    beginning: str
    violators: tuple[tuple[str, graph.Origin], ...]
    example: graph.Origin | None = None

    def sentence(self) -> Sentence:
        text = f"{list_words(_names_without_places(self.facts), 'and')} {'are' if len(self.facts) > 1 else 'is'} not so"
        subject_phrase = f" of {list_words(_names_without_places(self.violators), 'and')}" if self.violators else ""
        start_phrase = (
            f" as {'the example ' if self.example else ''}`{self.beginning}` begins" if self.beginning else ""
        )
        places = self.violators if self.example is None else ((self.beginning, self.example),)
        wrong_part = "example" if self.example else "card" if self.beginning else "chart"
        return Sentence(
            text + subject_phrase + start_phrase,
            (
                *(origin_label(origin, backquoted(name)) for name, origin in places),
                *(origin_label(origin, "said to be always so") for _, origin in self.facts),
            ),
            f"correct the {wrong_part}, or what is said to be always so: proofs rest on it",
        )


def _names_without_places(placed: tuple[tuple[str, graph.Origin], ...]) -> tuple[str, ...]:
    """Return the names without their places."""
    return tuple(name for name, _ in placed)
