"""Keys that no row of a table matches, over the declared domains of its keys.

All gaps of a table are one finding: with the first box, and the number of missing combinations.
"""

from collections.abc import Iterator

from compiler.analysis.boxes import Box, box_texts, row_accepts_value, slice_domain, split_into_boxes
from compiler.analysis.checks import check_of_stack
from compiler.analysis.condition_texts import condition_text
from compiler.analysis.parties import Party, named_party, party_label
from compiler.source.finding import Finding, finding
from compiler.source.sentence import Sentence, Witness, list_words
from runtime.graph import nodes as graph


@finding("R0508", "table-gap")
class TableGap(Finding):
    """No row matches these keys: `count` of the `total` combinations are missing.

    `gap_key`: the key for which no row has these `values`, if those are the whole gap, else "". `added`: what a layer
    above added without all cells.
    """

    table: Party
    when: tuple[str, ...]
    count: int
    total: int
    gap_key: str
    values: tuple[str, ...]
    added: Party | None

    def sentence(self) -> Sentence:
        witness = Witness(condition_text(self.when), f"{self.count} of {self.total} combinations of keys")
        if self.gap_key:
            message = f"`{self.table.label}` has no row or column for {list_words(self.values, 'and')}"
            advice = "add it, or declare fewer keys"
            return Sentence(message, (party_label(self.table, "this table"),), advice, witness)
        if self.added is not None:
            labels = (
                party_label(self.added, "added here"),
                party_label(self.table, "to this table"),
            )
            return Sentence(
                f"`{self.added.label}` lacks cells in `{self.table.label}`", labels, "add these cells", witness
            )
        advice = "add rows for them, or declare fewer keys"
        place = party_label(self.table, "this table")
        return Sentence(f"`{self.table.label}` has no row for some of its keys", (place,), advice, witness)


@check_of_stack
def table_gap(stack: graph.Graph) -> Iterator[TableGap]:
    """Find tables with gaps; a `collect` table may have them."""
    for table in stack.tables.values():
        if table.hit == "collect":
            continue
        found = list(split_into_boxes(table, stack.vocabulary))
        holes = [box for box in found if not box.rows]
        if holes:
            count, total = (sum(box.count_keys() for box in these) for these in (holes, found))
            party = named_party(table)
            gap_key, values = _gap_key(table, count, total, stack.vocabulary)
            when = (f"{gap_key} = {'|'.join(values)}",) if gap_key else box_texts(table, holes[0], stack.vocabulary)
            yield TableGap(party, when, count, total, gap_key, values, _added(table, holes[0]))


def _gap_key(table: graph.Table, missing: int, total: int, vocabulary: graph.Vocabulary) -> tuple[str, tuple[str, ...]]:
    """Return the key of which some values match no row, and those values, if that is the whole gap."""
    for index, key in enumerate(table.keys):
        choices = slice_domain(table, index, vocabulary)
        missing_choices = [
            each for each in choices if not any(row_accepts_value(row, index, each.sample) for row in table.rows)
        ]
        if missing_choices and missing * sum(each.count for each in choices) == total * sum(
            each.count for each in missing_choices
        ):
            return key.name, tuple(each.text for each in missing_choices)
    return "", ()


def _added(table: graph.Table, hole: Box) -> Party | None:
    """Return a value that only rows of another layer match, as a party: that layer left the gap.

    None if there is none.
    """
    for index, choices in enumerate(hole.slices):
        for each in choices:
            rows = [
                row for row in table.rows if row.keys[index] is not None and row_accepts_value(row, index, each.sample)
            ]
            if rows and all(row.origin.layer != table.origin.layer for row in rows):
                return Party(each.text, "", rows[0].cites, rows[0].origin)
    return None
