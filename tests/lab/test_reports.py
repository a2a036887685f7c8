"""Reports: the same blocks in Markdown and HTML, valid SVG plots, and sentences on the findings."""

import xml.etree.ElementTree as ET
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from rulewright.lab.experiment_sentences import agreement_sentences, change_sentences, pairing_saves, wins_text
from rulewright.lab.plots import AxisScale, draw_plots, round_step
from rulewright.lab.report_blocks import write_report
from runtime.experiment.agreement import AGREE, DIRECTION, SIZE, Agreement
from runtime.experiment.leads import LeadDifference
from runtime.experiment.share_intervals import ConfidenceInterval, Estimate, PairedResults
from runtime.experiment.side_difference import NeededPairs
from runtime.experiment.stopping import DECIDED, WIDTH, StoppingRule
from runtime.experiment.summary import Arm, ArmDifference, Summary
from runtime.experiment.verdict import is_established
from tests.lab.bench import evidence_of, race, run
from tests.sample import sampled

NONE = Estimate(0.0, ConfidenceInterval(0.0, 0.0))
NO_LEADS = (LeadDifference("red", (0.0, 0.0), NONE, None),)


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
    page = write_report(summary, "a <run> & more", tmp_path, causes=(), reported=())
    text = page.read_text(encoding="utf-8")
    tags = Tags()
    tags.feed(text)
    assert tags.open == []
    assert "a &lt;run&gt; &amp; more" in text
    assert "<run>" not in text
    assert tags.seen.count("svg") == len(list(draw_plots(summary))) == len(list(tmp_path.glob("*.svg")))
    assert {"effects", "wins", "course", "losses", "rules"} <= {file.stem for file in tmp_path.glob("*.svg")}


def test_markdown_has_the_plots_sentences_and_tables(summary: Summary, tmp_path: Path) -> None:
    write_report(summary, "run", tmp_path, causes=(), reported=())
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert all((tmp_path / part.partition(")")[0]).is_file() for part in text.split("](")[1:])
    assert all(line.strip() in text for gap in summary.differences for line in change_sentences(gap, summary))
    tables = [block.splitlines() for block in text.split("\n\n") if block.startswith("| ")]
    assert len(tables) >= 3
    assert all(len({line.count(" | ") for line in table}) == 1 for table in tables)


def test_a_report_is_reproducible(summary: Summary, tmp_path: Path) -> None:
    for name in ("one", "other"):
        write_report(summary, "run", tmp_path / name, causes=(), reported=())
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
    assert write_report(alone, "run", tmp_path, causes=(), reported=()).is_file()
    assert summary.differences
    assert not alone.differences


@pytest.mark.parametrize(("least", "step"), [(0.03, 0.05), (0.1, 0.1), (0.7, 1), (3, 5), (11, 20), (60, 100), (1, 1)])
def test_steps_of_scales_are_round(least: float, step: float) -> None:
    assert round_step(least) == pytest.approx(step)


def test_the_sentence_on_pairing_distinguishes_saving_and_cost() -> None:
    assert pairing_saves(0.66) == "pairing saves 66% of the games for the interval of the lead"
    assert pairing_saves(-0.34) == "pairing costs 34% more games for the interval of the lead"


def test_a_scale_widens_to_its_marks() -> None:
    scale = AxisScale((-0.13, 0.42), (100, 300))
    assert (scale.marks[0], scale.marks[-1]) == (-0.2, 0.5)
    assert [scale(-0.2), scale(0.5)] == pytest.approx([100, 300])
    assert AxisScale((0, 0), (0, 10)).low < 0


def difference(players: str, pairs: PairedResults, interval: ConfidenceInterval) -> ArmDifference:
    estimate = (pairs.second - pairs.first) / pairs.n
    return ArmDifference(
        side="red", pairs=pairs, estimate=estimate, interval=interval, share=ConfidenceInterval(0.4, 1),
        p_adjusted=0.04, rules="new", than="old", players=players, leads=NO_LEADS,
        turns=NONE, choices=NONE, losses=(), margin=0.0, needed=NeededPairs(0, 0, 0), opposite=False,
        **evidence_of(0.2, together=0.2),
    )  # fmt: skip


def found(*agreements: Agreement, stopped: str = "", rule: str = "") -> Summary:
    gaps = (
        difference("a", PairedResults(5, 2, 12, 1), ConfidenceInterval(0.2, 0.7)),
        difference("b", PairedResults(5, 9, 3, 3), ConfidenceInterval(-0.6, -0.1)),
    )
    return Summary(
        "red", ("red", "blue"), ("old", "new"), 20, stopped, (), gaps, (), agreements, (), (), (), 0, rule=rule
    )


def agreement(verdict: str) -> Agreement:
    return Agreement("new", "old", "a", "b", Estimate(-0.8, ConfidenceInterval(-1.2, -0.4)), verdict, "red")


@pytest.mark.parametrize(
    ("verdict", "message"),
    [
        (DIRECTION, "PLAYERS DISAGREE on whom it helps, new instead of old: +50.0% with a, -30.0% with b"),
        (SIZE, "PLAYERS DISAGREE on how much it does, new instead of old"),
        (AGREE, "no players disagree as far as 20 games show"),
    ],
)
def test_a_disagreement_of_players_has_its_sentence(verdict: str, message: str) -> None:
    (line,) = agreement_sentences(found(agreement(verdict)))
    assert line.startswith(message)


def test_wins_are_written_as_wins_losses_and_games() -> None:
    arm = Arm("old", "a", 40, 25, 3, ConfidenceInterval(0, 1), (("blue", 12), ("red", 25)), (), 3, 9, ((3, 40),), ())
    assert wins_text(arm, found()) == "25-12, 40"


@sampled(0)
def test_an_early_stop_requires_anytime_valid_evidence() -> None:
    gap = found().differences[0]
    assert is_established(gap, found())
    assert not is_established(replace(gap, p_adjusted=0.06), found())
    assert is_established(gap, found(stopped="narrow enough", rule=WIDTH))
    assert not is_established(gap, found(stopped="the evidence is enough", rule=DECIDED))
    assert run(race(), 40, until=StoppingRule(DECIDED)).games in (20, 40)
