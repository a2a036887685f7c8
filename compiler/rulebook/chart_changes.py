"""Changes of charts between two stacks: a change for each chart, with a line for each column that has changed cells.

In: the graph of the book and that of its baseline. Out: changes of charts.
"""

from collections import defaultdict
from collections.abc import Iterator

from compiler.rulebook.booklet import ListedChange
from compiler.rulebook.charts import key_values_of, printed_chart
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.document import DocumentRole

_Cells = dict[str, tuple[str, str, str]]  # the row, the column and the text of each cell, by its name


def chart_changes(book: graph.Graph, base: graph.Graph) -> Iterator[ListedChange]:
    """Compare charts: a changed one has a line for its title, and one for each column with its changed cells."""
    for name in sorted({*book.tables, *base.tables}):
        if name not in base.tables:
            yield ListedChange("new", ("chart", name), _chart_title(book, name), ("A new chart.",), ())
        elif name not in book.tables:
            title = _chart_title(base, name)
            yield ListedChange("gone", ("chart", name), title, (), (words.sentence(title),))
        else:
            title, old_title = _chart_title(book, name), _chart_title(base, name)
            lines = [f"Titled “{title}” (was “{old_title}”)."] if title != old_title else []
            lines += _changed_columns(_cells(book, name), _cells(base, name))
            if lines:
                yield ListedChange("changed", ("chart", name), title, tuple(lines), ())


def _chart_title(book: graph.Graph, name: str) -> str:
    return printed_chart(book, book.tables[name]).title


def _changed_columns(new_cells: _Cells, old_cells: _Cells) -> Iterator[str]:
    """Yield a line for each column with changed cells."""
    cells_by_column: dict[str, list[str]] = defaultdict(list)
    for name in dict.fromkeys((*new_cells, *old_cells)):
        row, column, _ = new_cells.get(name) or old_cells[name]
        new, old = (cells[name][2] if name in cells else "" for cells in (new_cells, old_cells))
        if new != old:
            cells_by_column[column].append(f"{row} {new or 'none'}{f' (was {old})' if old else ''}".strip())
    for column, cells in cells_by_column.items():
        yield words.sentence(f"{column}: {'; '.join(cells)}" if column else "; ".join(cells))


def _cells(book: graph.Graph, name: str) -> _Cells:
    """Return the cells of a chart that are not empty; in a list the head of the only column is left out."""
    chart = printed_chart(book, book.tables[name])
    cells: _Cells = {}
    for row in chart.rows:
        for index, cell in enumerate(row.cells):
            if cell.role is not DocumentRole.EMPTY:
                heads = key_values_of(chart, row, index)
                column = heads.pop() if len(heads) > 1 else ""
                cells[cell.name] = (", ".join(heads), column, cell.text)
    return cells
