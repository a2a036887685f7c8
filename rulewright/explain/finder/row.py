"""A row of the finder: a complete question or action, its answer, and the deciding case."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from runtime.graph.document import DocumentBlock, DocumentLine, DocumentRole
from runtime.graph.document_lines import listing
from runtime.graph.document_text import blocks_text
from runtime.graph.records.explaining import FinderRowRecord

QUESTION, ACTION, OPEN = "question", "action", "open"


class Row(NamedTuple):
    """A question of the rules, an action, or all that is open to a piece.

    `name` is that of the question or action, and `heading` says what is answered, with every argument; `blocks` are the
    answers and what decides them. `calls` are the questions as `ask` takes them, `actions` the names of actions.
    `is_open`: yes, or open; None for another value, or if the calls have several.
    """

    sort: str
    name: str
    heading: str
    blocks: tuple[DocumentBlock, ...]
    score: float
    calls: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    is_open: bool | None = None

    @property
    def data(self) -> FinderRowRecord:
        """Return the record of the row."""
        return {"sort": self.sort, "name": self.name, "heading": self.heading, "answer": self.answer_lines(),
                "calls": list(self.calls), "actions": list(self.actions)}  # fmt: skip

    @property
    def is_explained(self) -> bool:
        """Return whether rules decide the answer."""
        return any(line.role is DocumentRole.DECIDED_BY for block in self.blocks for line in block.lines)

    def answer_lines(self, *, closed: str | None = None) -> list[str]:
        """Return the answers as lines of text."""
        return blocks_text(self.blocks, closed=closed).splitlines()


def numbered_lines(rows: Sequence[FinderRowRecord]) -> Iterator[DocumentLine]:
    """Yield the lines of numbered rows: what each asks, and below it the answer."""
    for number, row in enumerate(rows, 1):
        calls = [f"ask '{call}'" for call in row["calls"][:1]]
        yield listing(f"{number}. {row['heading']}", [*row["answer"], *calls])
