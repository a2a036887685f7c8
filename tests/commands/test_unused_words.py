"""Declared words that no rule uses or no map or card has, and what nothing asks (R0510, R0512, R0571)."""

import json
from pathlib import Path

import pytest

from rulewright.serve.cli.app import run
from rulewright.write.new_packages import new_game
from tests.commands.test_breaches import found
from tests.commands.test_faults import Capture
from tests.sample import sampled


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """Write a small game."""
    return new_game("toy", tmp_path).folder


@sampled(1)
@pytest.mark.parametrize(
    ("words", "message", "underlined"),
    [
        ("trait unit: web_footed", "the trait `web_footed` is declared but never used", "web_footed"),
        ("extend enum gait: crawl", "the gait `crawl` is declared but never used", "crawl"),
        ("event splashed(u: unit)", "the event `splashed` is declared but never used", "splashed"),
        (
            'trait unit: web_footed rule frogs [TOY.4] "Frogs do not hop on wheels."'
            " may_enter forbidden when mover is web_footed and mover.gait = wheel",
            "no counter has the trait `web_footed`",
            "web_footed",
        ),
        (
            'feature hex: quicksand rule stuck [TOY.4] "Nobody enters."'
            " may_enter forbidden when mover.gait = wheel and to is marsh|quicksand",
            "no map has the feature `quicksand`",
            "quicksand",
        ),
    ],
)
def test_unused_words_are_reported(toy: Path, words: str, message: str, underlined: str, capsys: Capture) -> None:
    (toy / "more.rules").write_text(words + "\n")
    assert (message, [underlined]) in found(toy, capsys, {"R0508", "R0510", "R0512"})


STORM = (
    "track scenario.storm: yes_no = no\n"
    'rule storm-stops [TOY.4] "In a storm nobody enters marsh."\n'
    "  may_enter forbidden\n  when scenario.storm and to is marsh\n"
)


STORM_EXAMPLE = """
example "storm" {
  row A, B marsh
  piece R: runner of north at A
  set scenario.storm to yes
  ask may_enter(R, A, B) = forbidden by storm-stops
}
"""


@sampled(1)
@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("more.rules", STORM_EXAMPLE),
        ("at_sea.yaml", "position: at_sea\nstack: toy\ngame: {storm: yes}\nboard: {rows: [[A]]}\n"),
        ("more.rules", 'after end of movement [TOY.4] "The storm comes up." { set scenario.storm to yes }\n'),
    ],
)  # fmt: skip
def test_a_fact_that_something_gives_is_not_reported(toy: Path, file: str, text: str, capsys: Capture) -> None:
    (toy / "storm.rules").write_text(STORM)
    (toy / file).write_text(text)
    assert not [message for message, _ in found(toy, capsys, set()) if "no card" in message]


def test_an_argument_outside_the_range_of_its_parameter_is_reported(toy: Path, capsys: Capture) -> None:
    text = "define share(n: 1..9): 0..9 [house] = round_down(9 / n) define shared(n: 0..9): 0..9 [house] = share(n)\n"
    (toy / "more.rules").write_text(text)
    run(["check", str(toy), "--format", "json"])
    [output] = [each for each in json.loads(capsys.readouterr().out)["diagnostics"] if each["code"] == "R0521"]
    assert output["message"] == "`shared` gives `share(n)` a number outside 1..9"


@sampled(1)
@pytest.mark.parametrize(("worth", "is_reported"), [("0 - 2", True), ("0", True), ("1", False), ("3 - 2", False)])
def test_an_action_that_is_never_worth_anything_is_reported(
    toy: Path, worth: str, is_reported: bool, capsys: Capture
) -> None:
    """Greedy players take only what is worth more than zero: with a reversed sign no experiment covers the action."""
    (toy / "resting.rules").write_text(
        'insert phase resting "Resting" [TOY.6] { offer rest until yes } after movement\n'
        'action rest by player in resting [TOY.6] "Rest." reads "{u} rests" {\n'
        f"  choose u from {{u in all unit where u.side = player and u is tired}} preferring {worth}\n"
        "  unmark u as tired\n}\n"
    )
    message = "greedy players never take `action rest`, as its preference is never above 0"
    assert (message in [each for each, _ in found(toy, capsys, {"R0565"})]) == is_reported
