"""Keys that no row of a table answers, over the declared domains of its keys.

All holes of a table are one finding: the first box is shown, and how much is missing in all.
"""

from collections.abc import Iterator

from compiler.analysis.boxes import boxes, in_words
from compiler.analysis.parties import Party
from compiler.analysis.problems import Problem, TableGap
from runtime.graph import nodes as graph


def table_gap(stack: graph.Graph) -> Iterator[Problem]:
    """Find tables with holes; a `collect` table may have them."""
    for table in stack.tables.values():
        if table.hit == "collect":
            continue
        found = list(boxes(table, stack.vocabulary))
        holes = [box for box in found if not box.rows]
        if holes:
            count, of = (sum(box.count() for box in these) for these in (holes, found))
            party = Party(table.name, "", table.cites, table.origin)
            yield TableGap(party, in_words(table, holes[0], stack.vocabulary), count, of)
