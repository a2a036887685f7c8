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
        message = (
            f"{list_words(_names_without_places(self.facts), 'and')} {'are' if len(self.facts) > 1 else 'is'} not true"
        )
        if self.violators:
            message += f" of {list_words(_names_without_places(self.violators), 'and')}"
        if self.beginning:
            message += f" at the start of the {'example' if self.example else 'situation'} `{self.beginning}`"
        places = self.violators if self.example is None else ((self.beginning, self.example),)
        wrong_part = "example" if self.example else "situation" if self.beginning else "chart"
        return Sentence(
            message,
            (
                *(origin_label(origin, backquoted(name)) for name, origin in places),
                *(origin_label(origin, "stated here") for _, origin in self.facts),
            ),
            f"correct the {wrong_part} or the `always` statement, on which proofs rely",
        )


def _names_without_places(placed: tuple[tuple[str, graph.Origin], ...]) -> tuple[str, ...]:
    """Return the names without their places."""
    return tuple(name for name, _ in placed)
