"""Format the differing cells of one chart as a grid."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

# The least number of cells that are formatted as a grid; fewer are listed.
FEWEST = 3
# The most rows of a grid.
MOST_ROWS = 30
LABEL = re.compile(r"(?P<chart>[^\[]+)\[(?P<keys>.*)\]", re.DOTALL)


def charts_of(labels: Sequence[str]) -> str:
    """Return the chart whose cells all labels are; "" if there is no common one."""
    found = {match["chart"] if (match := LABEL.fullmatch(label)) else "" for label in labels}
    return found.pop() if len(found) == 1 else ""


def group_by_chart(groups: Sequence[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Merge the groups about cells of one chart; the others remain single."""
    found: dict[object, list[dict[str, Any]]] = {}
    for number, group in enumerate(groups):
        found.setdefault(charts_of(group["rules"]) or number, []).append(group)
    return [
        part
        for groups_of_one in found.values()
        for part in ([groups_of_one] if len(groups_of_one) >= FEWEST else [[each] for each in groups_of_one])
    ]


def grid_cells(groups: Sequence[dict[str, Any]], data: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the cells of groups, with their values in both stacks."""
    labels = {label for group in groups for label in group["rules"]}
    return [cell for chart in data["charts"] for cell in chart["cells"] if cell["cell"] in labels]


def grid_lines(cells: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield the lines of a grid of cells by keys: `was > is`, a dash for none, blanks for equal cells."""
    keyed = {tuple(_keys(each["cell"])): _change(each["a"] or "-", each["b"] or "-") for each in cells}
    if any(len(keys) < 2 for keys in keyed):
        yield from (f"{', '.join(keys)}: {text}" for keys, text in keyed.items())
        return
    rows = list(dict.fromkeys(keys[:-1] for keys in keyed))
    columns = list(dict.fromkeys(keys[-1] for keys in keyed))
    heads = [", ".join(row) for row in rows]
    widths = [max(len(column), *(len(keyed.get((*row, column), "")) for row in rows)) for column in columns]
    first = max(map(len, heads))
    yield _line("", columns, first, widths)
    for head, row in list(zip(heads, rows, strict=True))[:MOST_ROWS]:
        yield _line(head, [keyed.get((*row, column), "") for column in columns], first, widths)
    if len(rows) > MOST_ROWS:
        yield f".. and {len(rows) - MOST_ROWS} more rows"


def _change(old: str, new: str) -> str:
    """Format the old and the new value of a cell, with common first and last words once."""
    old_words, new_words = old.split(), new.split()
    most = min(len(old_words), len(new_words)) - 1
    begin = next((index for index in range(most) if old_words[index] != new_words[index]), max(most, 0))
    end = next(
        (index for index in range(most - begin) if old_words[-1 - index] != new_words[-1 - index]), max(most - begin, 0)
    )
    slices = slice(begin, len(old_words) - end), slice(begin, len(new_words) - end)
    return " ".join(
        (*old_words[:begin], *old_words[slices[0]], ">", *new_words[slices[1]], *old_words[len(old_words) - end :])
    )


def _line(head: str, cells: Sequence[str], first: int, widths: Sequence[int]) -> str:
    padded = (f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True))
    return f"{head:<{first}}  {'  '.join(padded)}".rstrip()


def _keys(label: str) -> list[str]:
    match = LABEL.fullmatch(label)
    return match["keys"].split(", ") if match else [label]
