"""Abbreviations on paper: letters for words of wide tables, lines in heads, and maps that are drawn once."""

from dataclasses import replace

from compiler.rulebook.charts import ChartCell, ChartRow, PrintedChart
from compiler.rulebook.paper.abridged import cell_abbreviations, chart_abbreviations
from compiler.rulebook.paper.chart_text import chart_boxes, chart_codes


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
