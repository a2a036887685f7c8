"""The quick-reference card on paper: a page for each side, three columns of panels.

In: the contents of a book. Out: sources by file name, of which `typeset` makes a PDF.
"""

from compiler.rulebook.card import Panel, lay_card
from compiler.rulebook.contents import Contents
from compiler.rulebook.paper.paper import Press
from compiler.rulebook.paper.typeset import LOOK, quoted, text


def write_card_text(contents: Contents, title: str, short: str) -> dict[str, bytes]:
    """Write the sources of the quick-reference card, one page a side; what a short title leaves out stands below."""
    press = Press(contents)
    sides = []
    for panels in lay_card(contents):
        columns = ["\n".join(_panel(press, panel) for panel in column) for column in spread(panels)]
        sides.append(f"#side({', '.join(f'[{one}]' for one in columns)})")
    foot = f"[#text(7pt, fill: soft)[{text(title)}]]" if title != short else "none"
    parts = [
        '#import "look.typ": *',
        f"#show: card.with({quoted(title)}, [{text(short)}], {foot})",
        "\n#pagebreak()\n".join(sides),
    ]
    return {"main": "\n\n".join(parts).encode(), "look.typ": LOOK.read_bytes(), **press.pictures}


def spread(panels: tuple[Panel, ...]) -> list[list[Panel]]:
    """Share panels among three columns in their order, as evenly as they can be."""
    heights = [_height(panel) for panel in panels]
    ends = range(len(panels) + 1)
    cuts = [(first, second) for first in ends for second in ends if first <= second]
    first, second = min(cuts, key=lambda cut: sum(height**2 for height in _filled(heights, *cut)))
    return [column for one in (panels[:first], panels[first:second], panels[second:]) if (column := list(one))]


def _filled(heights: list[float], first: int, second: int) -> tuple[float, float, float]:
    return sum(heights[:first]), sum(heights[first:second]), sum(heights[second:])


def _height(panel: Panel) -> float:
    """Guess how many lines a panel takes."""
    if panel.chart is not None:
        return 1.3 * (len(panel.chart.rows) + 1) + 2.2 + bool(panel.chart.codes)
    return 2 + sum(-(-len(said) // 54) + 0.25 for _, _, said in panel.lines)


def _panel(press: Press, panel: Panel) -> str:
    if panel.chart is not None:
        return f"#panel([{text(panel.title)}], [{press.cells(panel.chart)}])"
    lines = "".join(f"#item({depth}, [{text(number)}], [{text(said)}])" for depth, number, said in panel.lines)
    return f"#panel([{text(panel.title)}], [{lines}])"
