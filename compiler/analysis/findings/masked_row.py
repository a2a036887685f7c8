"""Rows of a `first` table that are never the first to match."""

from collections.abc import Iterator

from compiler.analysis.boxes import split_into_boxes
from compiler.analysis.checks import check_of_stack
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.parties import Party, party_label
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence
from runtime.graph import nodes as graph


@finding("R0507", "masked-row", WARNING)
class MaskedRow(Finding):
    """Earlier rows match all keys that this row of a `first` table matches."""

    table: str
    row: Party
    masking_rows: tuple[Party, ...]

    def sentence(self) -> Sentence:
        message = f"this row of `{self.table}` is never used, as earlier rows match all its keys"
        advice = "move it above these rows, or delete it"
        return Sentence(
            message, (party_label(self.row), *(party_label(party) for party in self.masking_rows[:3])), advice
        )


@check_of_stack
def masked_row(stack: graph.Graph) -> Iterator[MaskedRow]:
    """Find rows that earlier rows mask, with those that mask them."""
    writer = ExpressionWriter(stack.vocabulary)
    for table in stack.tables.values():
        if table.hit != "first":
            continue
        answering: set[int] = set()
        hiding: dict[int, dict[int, graph.TableRow]] = {}
        for box in split_into_boxes(table, stack.vocabulary):
            answering |= {id(row) for row in box.rows[:1]}
            for row in box.rows[1:]:
                hiding.setdefault(id(row), {})[id(box.rows[0])] = box.rows[0]
        for row in table.rows:
            if id(row) not in answering:
                masking_parties = tuple(writer.row_party(table, other) for other in hiding.get(id(row), {}).values())
                yield MaskedRow(table.name, writer.row_party(table, row), masking_parties)
