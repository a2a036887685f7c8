"""The quick-reference card on paper: a page for each side, three columns of panels.

In: the contents of a book. Out: sources by file name, of which `typeset` makes a PDF.
"""

from compiler.rulebook.card import Panel, lay_card
from compiler.rulebook.contents import Contents
from compiler.rulebook.paper import Press
from compiler.rulebook.typeset import LOOK, quoted, text


def write_card_text(contents: Contents, title: str) -> dict[str, bytes]:
    """Write the sources of the quick-reference card, one page a side."""
    press = Press(contents)
    sides = []
    for panels in lay_card(contents):
        columns = ["\n".join(_panel(press, panel) for panel in column) for column in _spread(panels)]
        sides.append(
            f"#grid(columns: (1fr,) * {len(columns)}, gutter: 7mm, {', '.join(f'[{one}]' for one in columns)})"
        )
    parts = [
        '#import "look.typ": *',
        f"#set document(title: {quoted(title)}, date: none)",
        '#set text(font: "Libertinus Serif", size: 10pt, fill: ink, lang: "en")',
        '#show table.cell.where(y: 0): set text(weight: "bold")',
        f'#set page(paper: "a4", flipped: true, margin: (x: 10mm, top: 14mm, bottom: 9mm), '
        f"header: [#strong[{text(title)}] #h(1fr) #text(fill: soft)"
        "[quick-reference card, side #context counter(page).display()]])",
        "#set par(leading: 0.48em, spacing: 0.5em)",
        "\n#pagebreak()\n".join(sides),
    ]
    return {"main": "\n\n".join(parts).encode(), "look.typ": LOOK.read_bytes(), **press.pictures}


def _spread(panels: tuple[Panel, ...]) -> list[list[Panel]]:
    """Share panels among three columns in their order, as evenly as they can be."""
    heights = [_height(panel) for panel in panels]
    columns: list[list[Panel]] = [[]]
    filled, share = 0.0, sum(heights) / 3
    for panel, height in zip(panels, heights, strict=True):
        if columns[-1] and len(columns) < 3 and filled + height / 2 > share * len(columns):
            columns.append([])
        columns[-1].append(panel)
        filled += height
    return columns


def _height(panel: Panel) -> float:
    """Guess how many lines a panel takes."""
    if panel.chart is not None:
        return 1.4 * len(panel.chart.rows) + 4
    return 2 + sum(-(-len(said) // 58) + 0.3 for _, _, said in panel.lines)


def _panel(press: Press, panel: Panel) -> str:
    if panel.chart is not None:
        return press.chart(panel.chart, named=False)
    lines = [
        f"#block(above: 2.6pt, below: 2.6pt, inset: (left: {3 * depth}mm))[#num[{text(number)}] {text(said)}]"
        for depth, number, said in panel.lines
    ]
    return f"#block(above: 8pt, below: 3pt)[#text(10pt)[*{text(panel.title)}*]]\n" + "\n".join(lines)
