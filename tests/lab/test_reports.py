"""Reports: the same blocks in Markdown and HTML, valid SVG plots, and sentences on the findings."""

import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path

import pytest

from rulewright.lab.experiment_sentences import change_sentences, wins_text
from rulewright.lab.plots import AxisScale, draw_plots, round_step
from rulewright.lab.report_blocks import write_report
from runtime.experiment.mean_interval import ConfidenceInterval
from runtime.experiment.summary import Arm, Summary
from tests.lab.bench import race, run
from tests.sample import sampled


@pytest.fixture(scope="module")
def summary() -> Summary:
    """Run an experiment of the hares with exchanged sides."""
    return run(race(both=True), 30)


class Tags(HTMLParser):
    """A parser that checks that tags are balanced."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, _: object) -> None:
        """Open a tag."""
        self.seen.append(tag)
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, _: object) -> None:
        """Record a self-closing tag."""
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close the innermost tag, which must be this one."""
        assert self.open.pop() == tag


@sampled(0)
def test_a_page_is_well_formed_and_contains_its_plots(summary: Summary, tmp_path: Path) -> None:
    page = write_report(summary, "a <run> & more", tmp_path, causes=())
    text = page.read_text(encoding="utf-8")
    tags = Tags()
    tags.feed(text)
    assert tags.open == []
    assert "a &lt;run&gt; &amp; more" in text
    assert "<run>" not in text
    assert tags.seen.count("svg") == len(list(draw_plots(summary))) == len(list(tmp_path.glob("*.svg")))
    assert {"effects", "wins"} == {file.stem for file in tmp_path.glob("*.svg")}


def test_markdown_has_the_plots_sentences_and_tables(summary: Summary, tmp_path: Path) -> None:
    write_report(summary, "run", tmp_path, causes=())
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert all((tmp_path / part.partition(")")[0]).is_file() for part in text.split("](")[1:])
    assert all(line.strip() in text for gap in summary.differences for line in change_sentences(gap, summary))
    tables = [block.splitlines() for block in text.split("\n\n") if block.startswith("| ")]
    assert len(tables) >= 3
    assert all(len({line.count(" | ") for line in table}) == 1 for table in tables)


def test_a_report_is_reproducible(summary: Summary, tmp_path: Path) -> None:
    for name in ("one", "other"):
        write_report(summary, "run", tmp_path / name, causes=())
    files = sorted(file.name for file in (tmp_path / "one").iterdir())
    assert all((tmp_path / "one" / name).read_bytes() == (tmp_path / "other" / name).read_bytes() for name in files)


def test_plots_are_within_their_area(summary: Summary) -> None:
    for plot in draw_plots(summary):
        root = ET.fromstring(plot.svg)
        width, height = float(root.attrib["width"]), float(root.attrib["height"])
        drawn = [element for element in root.iter() if not element.tag.endswith(("svg", "title"))]
        assert len(drawn) > 5
        for element in drawn:
            for name in ("x", "x1", "x2", "cx"):
                assert 0 <= float(element.attrib.get(name, 0)) <= width
            for name in ("y", "y1", "y2", "cy"):
                assert 0 <= float(element.attrib.get(name, 0)) <= height


def test_one_stack_alone_is_reported(summary: Summary, tmp_path: Path) -> None:
    alone = run(type(race())(race().stacks[:1], race().seatings, "x", "red"), 3)
    assert write_report(alone, "run", tmp_path, causes=()).is_file()
    assert summary.differences
    assert not alone.differences


@pytest.mark.parametrize(("least", "step"), [(0.03, 0.05), (0.1, 0.1), (0.7, 1), (3, 5), (11, 20), (60, 100), (1, 1)])
def test_steps_of_scales_are_round(least: float, step: float) -> None:
    assert round_step(least) == pytest.approx(step)


def test_a_scale_widens_to_its_marks() -> None:
    scale = AxisScale((-0.13, 0.42), (100, 300))
    assert (scale.marks[0], scale.marks[-1]) == (-0.2, 0.5)
    assert [scale(-0.2), scale(0.5)] == pytest.approx([100, 300])
    assert AxisScale((0, 0), (0, 10)).low < 0


def test_wins_are_written_as_wins_losses_and_games(summary: Summary) -> None:
    arm = Arm("old", "a", 40, 25, 3, ConfidenceInterval(0, 1), (("blue", 12), ("red", 25)), (), 3, 9, ((3, 40),), ())
    assert wins_text(arm, summary) == "25-12, 40"
