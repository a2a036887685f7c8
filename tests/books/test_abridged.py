"""Abbreviations on paper: letters for words of wide tables, lines in heads, and maps that are drawn once."""

import re
from dataclasses import replace

from compiler.rulebook.charts import ChartCell, ChartRow, PrintedChart
from compiler.rulebook.contents import gather_contents
from compiler.rulebook.evidence import unplayed_outcomes
from compiler.rulebook.index.mentions import BookKey
from compiler.rulebook.paper.abridged import cell_abbreviations, chart_abbreviations, head_lines
from compiler.rulebook.paper.chart_text import chart_boxes, chart_codes
from compiler.rulebook.paper.typst_writer import TypstWriter
from tests.books.fair import fair


def test_words_of_a_wide_table_are_abbreviated_to_letters() -> None:
    assert cell_abbreviations(["damaged", "downed", "double hit", "+2", "D"], 7) == {
        "damaged": "D", "downed": "Do", "double hit": "DH",
    }  # fmt: skip
    assert cell_abbreviations(["damaged", "downed"], 6) == {}, "a column has room for them"
    assert cell_abbreviations([f"word{place}" for place in range(8)], 7) == {}, "a legend is longer than the table"


def chart_of(heads: tuple[str, ...], lines: tuple[tuple[str, ...], ...]) -> PrintedChart:
    """Return a chart in the form of a list, with the last text of each line as its cell."""
    rows = tuple(ChartRow(line[:-1], (ChartCell(line[-1], "", "", (), "value"),)) for line in lines)
    return PrintedChart(
        "loads",
        "Loads",
        grid=False,
        down="",
        across="",
        heads=heads,
        rows=rows,
        measures=(),
        codes=(("A", "axle"),),
        notes=(),
        cites=(),
        edition="",
    )


def test_words_that_widen_a_chart_are_letters_with_a_legend() -> None:
    heads = ("wheel", "road", "distance of the journey", "turns waited", "price")
    lines = (("H", "surfaced", "0 to 6", "any", "1"), ("A", "surfaced", "any", "any", "2"))
    wide = chart_of(heads, (*lines, ("A", "unsurfaced", "any", "any", "3"), ("B", "surfaced", "any", "any", "4")))
    assert chart_abbreviations(wide) == {"surfaced": "S", "unsurfaced": "U"}
    assert chart_codes(wide)[1] == (("A", "axle"), ("S", "surfaced"), ("U", "unsurfaced"))
    boxes = chart_boxes(wide, lambda cell: cell.text, chart_abbreviations(wide))
    assert ("[S]" in boxes, "[surfaced]" in boxes) == (True, False)
    lettered = replace(wide, codes=(("S", "sound"), ("Su", "sunk")))
    assert chart_abbreviations(lettered)["surfaced"] == "Sur", "a letter has one meaning in a chart"
    # These heads leave room for the words.
    assert chart_abbreviations(replace(wide, heads=("wheel", "road", "way", "wait", "price"))) == {}, (
        "it has room for words"
    )
    assert chart_abbreviations(replace(wide, rows=wide.rows[:2])) == {}, "a legend would not pay"


def test_a_head_that_widens_a_chart_has_two_lines() -> None:
    heads = ("distance of the journey", "load", "turns waited for it", "price of the whole journey")
    chart = chart_of(heads, (("0 to 6", "hay", "any number of turns", "1"),))
    assert head_lines(chart) == {
        "distance of the journey": ("distance of", "the journey"),
        "load": ("load",),
        "turns waited for it": ("turns waited for it",),
        "price of the whole journey": ("price of the", "whole journey"),
    }
    boxes = chart_boxes(chart, lambda cell: cell.text, {})
    assert boxes[0] == "head[distance of \\ the journey]"
    assert chart_boxes(chart, lambda cell: cell.text, {}, is_low=True)[0] == "head[distance of the journey]"
    narrow = replace(chart, heads=("distance", "load", "turns waited", "its price"))
    assert [*head_lines(narrow).values()] == [("distance",), ("load",), ("turns waited",), ("its price",)]


def test_a_map_is_drawn_once_and_referred_to() -> None:
    contents = gather_contents(fair(), unplayed_outcomes(fair()), None)
    home, example = next((home, each) for home, all_ in contents.examples.items() for each in all_ if each.drawing.svg)

    def drawn(width: int, title: str, place: BookKey, press: TypstWriter) -> str:
        svg = re.sub(r'width="[\d.]+"', f'width="{width}"', example.drawing.svg, count=1)
        return press.example(replace(example, title=title, drawing=replace(example.drawing, svg=svg)), place)

    for width, far_away_too in ((100, True), (600, False)):
        press = TypstWriter(contents)
        first = drawn(width, "Hay", home, press)
        near = drawn(width, "Hay again", home, press)
        far = drawn(width, "Hay far away", ("case", "far"), press)
        assert '#label("map-0")' in first
        assert '#to("map-0")[Hay]' in near
        assert ["image(" in each for each in (first, near, far)] == [True, False, far_away_too]
