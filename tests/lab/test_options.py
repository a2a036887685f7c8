"""docs/options.md equals the recorded survey, has every option, and has a reason for each that is never used."""

from tests.lab.page import PAGE, REASONS, SILENT, not_taken, page, reason_key, silent
from tests.lab.survey import options, options_by_base, pairs, recorded

FOUND = recorded()


def test_the_page_equals_the_recorded_survey() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(FOUND), "python3 -m tests.lab survey writes it"


def test_every_option_was_played() -> None:
    wanted = {option.name.text for option in options()}
    assert {each.option for each in FOUND} == wanted, "python3 -m tests.lab survey --option NAME plays one"
    assert {(each.situation, each.option) for each in FOUND} <= set(pairs())


def test_exactly_the_unused_actions_and_options_have_reasons() -> None:
    wanted = {reason_key(option, name) for option, name, _, reason in not_taken(FOUND) if not reason}
    assert wanted == REASONS.keys()
    assert sorted(SILENT) == silent(FOUND)


def test_an_option_is_compared_with_the_stack_of_a_card() -> None:
    """Situation 8 is played with indirect fire, so this is no option there, and options on it need no layer more."""
    by_base = options_by_base("pb_situation_08", ())
    listed = {name for names in by_base.values() for name in names}
    assert "pb_indirect_fire" not in listed
    assert "pb_experimental_fire" in by_base["panzerblitz_cards+pb_indirect_fire"]
    assert not {"naval_support", "opportunity_fire"} & listed  # Those are of the other game.
