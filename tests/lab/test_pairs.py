"""Options are paired with the situations of their game."""

from tests.lab.pairs import options_by_base


def test_an_option_is_compared_with_the_stack_of_a_card() -> None:
    """Situation 8 is played with indirect fire, so this is no option there, and options on it need no layer more."""
    by_base = options_by_base("pb_situation_08", ())
    listed = {name for names in by_base.values() for name in names}
    assert "pb_indirect_fire" not in listed
    assert "pb_experimental_fire" in by_base["panzerblitz_cards+pb_indirect_fire"]
    assert not {"naval_support", "opportunity_fire"} & listed  # Those are of the other game.
