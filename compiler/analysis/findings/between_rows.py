"""Lookups in a chart with a key that may lie between two of its rows or columns, such as a ratio that is not rounded.

A range declares the bounds of a number, not that it is whole: `1..6` includes 5/2, which matches neither 2 nor 3.
"""

from collections.abc import Iterator
from fractions import Fraction

from compiler.analysis.checks import check_of_stack
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.fractions import Fractions
from compiler.analysis.parties import Party, party_label
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence
from runtime.graph import nodes as graph


@finding("R0417", "between-rows", WARNING)
class BetweenRows(Finding):
    """A chart is looked up with a `key` that may be a fraction, and may so be between two rows or columns of it."""

    reader: Party
    table: str
    called: str
    key: str

    def sentence(self) -> Sentence:
        message = f"the key `{self.called}` of `{self.table}` may be a fraction, for which there is no row"
        labels = (party_label(self.reader, f"looked up with `{self.key}`"),)
        return Sentence(message, labels, "round it with `round_down(..)` or `round_up(..)`")


@check_of_stack
def between_rows(stack: graph.Graph) -> Iterator[BetweenRows]:
    """Find such lookups, each key of a chart once for each reader."""
    writer = ExpressionWriter(stack.vocabulary)
    reported_keys = set()
    for cell, key_index, reader in Fractions(stack).fractional_keys():
        table = stack.tables[cell.table]
        numbers = isinstance(table.keys[key_index].type, graph.Number | graph.Scale)
        if numbers and _has_gap(table, key_index) and (reader, cell, key_index) not in reported_keys:
            reported_keys.add((reader, cell, key_index))
            label = reader.label if isinstance(reader, graph.Rule) else f"{reader.what} {reader.name}"
            party = Party(label, reader.prose, reader.cites, reader.origin)
            yield BetweenRows(party, table.name, table.keys[key_index].name, writer.text(cell.keys[key_index]))


def _has_gap(table: graph.Table, key_index: int) -> bool:
    """Return whether there is a gap between the ranges that the rows of a chart match."""
    if any(row.keys[key_index] is None for row in table.rows):
        return False
    spans = sorted(
        (Fraction(match.low), Fraction(match.high))
        for row in table.rows
        for match in row.keys[key_index] or ()
        if not isinstance(match.low, str) and not isinstance(match.high, str)
    )
    reached = spans[0][1] if spans else Fraction(0)
    for low, high in spans:
        if low > reached:
            return True
        reached = max(reached, high)
    return False
