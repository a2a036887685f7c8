"""Typical errors of first designs of card-driven games: lists in braces, sums with bounds, words that are no names."""

from pathlib import Path

import pytest

from tests.constructs.test_slips_of_designers import rule_findings

LISTS = "track game.first: list of side = {}\nrecord step {to: 0..9}\ntrack game.way: list of step = {}\n"
ODDS = """
sum attack(s: side): number capped 0..60  reads "the attack of {s}"
sum defense(s: side): number capped BOUNDS  reads "the defense of {s}"
rule guns [house] "Guns add one."  attack adds 1
rule walls [house] "Walls add two."  defense adds 2
define columns(s: side): odds [house] = round_down(odds(attack(s) / defense(s)))  reads "the odds of {s}"
"""


@pytest.mark.parametrize(
    ("line", "is_refused"),
    [
        ("ask game.first = {south, north}", True),
        ("set game.first to {south, north}", True),
        ("set game.first to {south}", False),
        ("set game.first to {}", False),
        ("set game.way to {step(to: 2), step(to: 1)}", False),
        ("ask count(s in game.first where s in {south, north}) = 0", False),
    ],
)
def test_a_list_of_members_in_braces_is_refused(line: str, is_refused: bool, tmp_path: Path) -> None:
    found = rule_findings(tmp_path, f'{LISTS}example "first" {{\n  spaces A\n  {line}\n}}')
    assert [message for _, message, _ in found if "no order" in message] == [
        "a list is needed here, and the members of `{..}` have no order"
    ] * is_refused


@pytest.mark.parametrize(("bounds", "codes"), [("1..60", []), ("0..60", ["R0405"]), ("-5..60", ["R0405"])])
def test_the_bounds_of_a_capped_sum_are_a_range(bounds: str, codes: list[str], tmp_path: Path) -> None:
    found = rule_findings(tmp_path, ODDS.replace("BOUNDS", bounds))
    assert [code for code, _, _ in found if code in {"R0405", "R0411"}] == codes


def test_the_help_for_a_quotient_without_bounds_mentions_capped_sums(tmp_path: Path) -> None:
    found = rule_findings(tmp_path, ODDS.replace(" capped BOUNDS", "").replace(" capped 0..60", ""))
    assert [advice for code, _, advice in found if code == "R0411"] == [
        "declare a range for one, as in `0..12`, or `capped 0..12` for a sum"
    ]


@pytest.mark.parametrize(
    ("written", "advice"),
    [
        (
            "choose n from 0..3",
            "declare `domain NAME = 0..4` and write `choose n from all NAME`; `for each n in 0..4` has a range",
        ),
        (
            "let sum = min(2, player.stores)\n  set player.stores to sum",
            "write `sum(VALUE for x in SET where CONDITION)`; `sum` is no name",
        ),
    ],
)
def test_a_step_with_a_range_or_the_name_of_a_fold_has_an_advice(written: str, advice: str, tmp_path: Path) -> None:
    action = f'action bid by player [house] "Bid." reads "bid" {{\n  {written}\n  stop\n}}\n'
    assert advice in [found for code, _, found in rule_findings(tmp_path, action) if code == "R0101"]


def test_a_denied_answer_of_an_example_needs_parentheses(tmp_path: Path) -> None:
    example = 'example "denied" for (held) in (yes), (no) {\n  spaces A port\n  ask (A is port) = not held\n}\n'
    assert [advice for _, _, advice in rule_findings(tmp_path, example)] == ["write `= (not held)`"]


@pytest.mark.parametrize(
    ("throw", "message"), [("2 pips", ""), ("2", ""), ("2 crowns", "`2 crowns` cannot stand for a die")]
)
def test_a_column_of_dice_may_have_their_measure(throw: str, message: str, tmp_path: Path) -> None:
    rules = (
        "measure crowns\ntrack game.weather: 0..6 pips = 0 pips\n"
        'resolution weather() [house] "A die gives the weather." { roll d: die  set game.weather to d }\n'
        f'example "weather" for (d) in ({throw}) {{\n  spaces A\n  dice d\n  do weather()\n'
        "  ask game.weather = 2 pips\n}\n"
    )
    found = rule_findings(tmp_path, rules)
    assert [message for code, message, _ in found if code == "R0411"] == [message] * bool(message)
