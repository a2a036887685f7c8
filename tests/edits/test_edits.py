"""Random single edits of the shipped rules: `diff` reports the effects of an edit under its own name.

A longer run: `python -m tests.edits --seed 0 -n 300`.
"""

from pathlib import Path

import pytest

from tests.edits.__main__ import STACKS
from tests.edits.edit import Edit, Workshop, drawn
from tests.edits.judge import FALSE_SAME, MISSED, RIGHT, WRONG, Verdict, judge
from tests.edits.listing import listing
from tests.edits.oracle import Oracle
from tests.fuzz.packages import open_corpus
from tests.sample import LONG, sampled

# Edits that `diff` is known to miss, by stack, as seed and number; those that it finds must be removed.
KNOWN: dict[str, set[str]] = {}

GAMES = [("low_tide", "0", 4)]
MANY = [("panzer_grenadier", "0", 2), *((stack, "1", 30) for stack in STACKS)]


@sampled(0)
@pytest.mark.parametrize(("stack", "seed", "count"), [*GAMES, *(pytest.param(*each, marks=LONG) for each in MANY)])
def test_effects_of_an_edit_are_listed_under_its_name(stack: str, seed: str, count: int, tmp_path: Path) -> None:
    workshop = Workshop(open_corpus(tmp_path), stack, STACKS[stack])
    oracle = Oracle(workshop.a, workshop.card_a, 1_000)
    on_card = Oracle(workshop.card_a, workshop.card_a, 100) if workshop.card_a else None
    verdicts = [judge(edit, oracle, on_card) for edit in drawn(workshop, seed, count)]
    assert any(each.verdict == RIGHT for each in verdicts)
    wrong = {each.edit.seed: each.summary() for each in verdicts if each.verdict in {MISSED, FALSE_SAME, WRONG}}
    assert [fault for each in verdicts for fault in each.faults] == []
    assert wrong.keys() == KNOWN.get(stack, set()) & {each.edit.seed for each in verdicts}, "\n".join(wrong.values())


@pytest.fixture(scope="module")
def tide(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    """Prepare edits of the smallest game."""
    return Workshop(open_corpus(tmp_path_factory.mktemp("edits")), "low_tide", "before_the_tide")


@pytest.fixture(scope="module")
def oracle(tide: Workshop) -> Oracle:
    """Compute the answers of the smallest game."""
    return Oracle(tide.a, tide.card_a, 1_000)


def added(tide: Workshop, oracle: Oracle, rule: str, names: tuple[str, ...] = ("an-edit",)) -> Verdict:
    """Judge an added rule."""
    edited = tide.with_rules(Edit(tide.stack, "-", "rule added", "rule", names, rule), rule)
    assert edited is not None
    return judge(edited, oracle)


def test_a_printed_feature_without_a_rule_in_the_base(tide: Workshop, oracle: Oracle) -> None:
    found = added(tide, oracle, 'rule an-edit [house] "Beds are muddy." hex is mud when hex is bed\n')
    assert found.seen.answers
    assert found.verdict == RIGHT


def test_an_added_rule_on_the_clock_and_the_card(tide: Workshop, oracle: Oracle) -> None:
    rule = 'rule an-edit [house] "Late." may_step forbidden when game.turn > scenario.turns / 2\n'
    assert added(tide, oracle, rule).verdict == RIGHT


def test_an_edit_with_a_wrong_name_has_the_verdict_wrong(tide: Workshop, oracle: Oracle) -> None:
    rule = 'rule an-edit [house] "No." may_step forbidden\n'
    assert added(tide, oracle, rule, ("nobody",)).verdict == WRONG


def test_the_oracle_finds_an_edit_that_an_empty_listing_lacks(tide: Workshop, oracle: Oracle) -> None:
    edited = tide.with_rules(
        Edit(tide.stack, "-", "rule added", "rule", ("an-edit",), ""),
        'rule an-edit [house] "No." may_step forbidden\n',
    )
    assert edited is not None
    seen = oracle.seen(edited.b, edited.card_b)
    assert seen.examples
    assert seen.questions
    assert seen.games
    behavior: dict[str, object] = {
        "procedures": [],
        "rules": [],
        "example_questions": [],
    }
    silence = {"terms": [], "counters": [], "charts": [], "notes": [], "cards": [], "behavior": behavior}
    assert listing(silence, edited.edit).status == "silent"
