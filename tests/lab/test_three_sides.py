"""Three sides, of which one gains what the others lose; and the report where little is known."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from runtime.experiment.share_intervals import PairedResults
from runtime.experiment.side_difference import NeededPairs, adjust_differences, wins_of
from runtime.experiment.stopping import DECIDED, SAME, SETTLED, WIDTH, StoppingRule
from runtime.experiment.summary import ArmDifference, Summary
from runtime.experiment.verdict import is_established, sides_without_loss
from tests.commands.planting import say
from tests.lab.bench import evidence_of, race, run
from tests.lab.test_designers_changes import KNOWN
from tests.lab.test_reports import NO_LEADS, NONE
from tests.sample import LONG, sampled


def trio(*words: str) -> tuple[dict[str, Any], str]:
    command = ["compare", "court", "--path", str(KNOWN), "--rules", "trio", "--rules", "trio+green_for_blue", "-j", "1"]
    done = say([*command, *words])
    assert not done.code, done.err
    return json.loads(say([*command, *words, "--format", "json"]).out), " ".join(done.out.split())


SURE = "and it is no accident"


@sampled(0)
def test_effects_on_all_sides_are_reported() -> None:
    """Red wins less often, blue still less, and green gains."""
    data, output = trio("-n", "300")
    assert data["verdicts"][0]["finding"] == "less"
    assert (
        f"red wins less often, green wins more often, blue wins less often and fewer games are drawn, {SURE}" in output
    )
    assert "that is not a gain of blue" in output


def test_effects_are_reported_from_another_side() -> None:
    _, output = trio("-n", "300", "--side", "green")
    assert (
        f"green wins more often, red wins less often, blue wins less often and fewer games are drawn, {SURE}" in output
    )


@sampled(1)
@pytest.mark.parametrize(
    ("pairs", "phrase"),
    [
        (PairedResults(100, 0, 0, 100), "that is not at the cost of blue"),
        (PairedResults(3, 1, 1, 5), "that is not shown to be at the cost of blue"),
        (PairedResults(10, 9, 3, 8), None),
    ],
)
def test_few_games_do_not_show_that_a_side_loses_nothing(pairs: PairedResults, phrase: str | None) -> None:
    summary = run(race(), 20)
    (gap,) = summary.differences
    [[_, blue]] = adjust_differences([[wins_of(pairs, side, summary.margin) for side in ("red", "blue")]], [None])
    changed = replace(gap, estimate=0.3, others=(blue,))
    found = list(sides_without_loss(changed, summary))
    assert [line.partition(", who")[0] for line in found] == ([phrase] if phrase else [])


def is_established_under(rule: StoppingRule, stopped: str = "") -> bool:
    """Return whether a difference is established that an ordinary test shows and anytime-valid evidence does not."""
    wins = wins_of(PairedResults(40, 9, 22, 29), "red", 0.05)
    assert wins.p_value < 0.05 < wins.p_any_time
    gap = ArmDifference(
        side="red", pairs=wins.pairs, estimate=wins.estimate, interval=wins.interval, share=wins.share,
        p_adjusted=wins.p_value, rules="new", than="old", players="a", leads=NO_LEADS, turns=NONE, choices=NONE,
        losses=(), margin=0.0, needed=NeededPairs(0, 0, 0), opposite=False,
        **evidence_of(wins.p_any_time, together=wins.p_any_time),
    )  # fmt: skip
    summary = Summary(
        "red",
        ("red", "blue"),
        ("old", "new"),
        100,
        stopped,
        (),
        (gap,),
        (),
        (),
        (),
        (),
        (),
        0,
        watched=rule.stops_at_difference,
        rule=rule.rule,
    )
    return is_established(gap, summary)


@pytest.mark.parametrize(
    ("rule", "sure"), [("", True), (SAME, True), (WIDTH, True), (DECIDED, False), (SETTLED, False)]
)
def test_a_stopping_rule_requires_anytime_valid_evidence_to_the_end(rule: str, sure: bool) -> None:
    """Looks after every 20 games together with an ordinary test at the end exceed an error of 5 percent."""
    assert is_established_under(StoppingRule(rule)) == sure


def test_looks_without_a_stop_are_reported() -> None:
    output = trio("-n", "20", "--until", "settled")[1]
    assert "went on to all 20 games, looking every 20" in output


LAYER = "layer: {0}\ntitle: {0}\nkind: variant\non: [{1}]\ncites: house\n"
NEVER_TRIED = """rule guard-holds [house] "Whoever attacks for the Column has no chance."
  shift adds -4
  when some(a in attackers where a.side = raiders)
"""


@LONG
def test_a_rule_that_only_players_evaluate_is_found_as_the_cause(tmp_path: Path) -> None:
    """Greedy players attack no more, so no executed attack asks for the odds."""
    (tmp_path / "hopeless").mkdir()
    (tmp_path / "hopeless" / "layer.yaml").write_text(LAYER.format("hopeless", "long_frost"))
    (tmp_path / "hopeless" / "hopeless.rules").write_text(NEVER_TRIED)
    command = ["compare", "first_snow", "--rules", "long_frost", "--rules", "long_frost+hopeless", "--which"]
    output = " ".join(say([*command, "-n", "20", "-j", "1", "--path", str(tmp_path)]).out.split())
    assert "raiders wins less often, and it is no accident" in output
    assert "0 of 1 came into use" in output
    assert "players weighed by it what they might do" in output
    assert "without guard-holds: raiders wins +" in output
    assert "IT MATTERS" in output


def test_removed_pairs_are_reported_before_any_number(tmp_path: Path) -> None:
    """A score in the last turn breaks the rules, so only games without one remain."""
    (tmp_path / "cursed").mkdir()
    (tmp_path / "cursed" / "layer.yaml").write_text(LAYER.format("cursed", "trio"))
    (tmp_path / "cursed" / "cursed.rules").write_text(
        'rule cursed [house] "It is too much."\n  tally is s.score * 999\n  exception to hits-count\n  when s = red\n'
    )
    command = ["compare", "court", "--rules", "trio", "--rules", "trio+cursed", "-n", "40", "-j", "1"]
    done = say([*command, "--path", str(KNOWN), "--path", str(tmp_path)])
    assert done.code == 1
    message = " ".join(done.out.split())
    assert " of 40 pairs are left out, as the rules broke in one of their games" in message
    assert message.index("are left out") < message.index("seen from")
