"""Counterfactuals: each reported change makes the action open, and a planted obstacle is reported."""

import rulewright
from runtime.play.counterfactuals import what_would_allow
from runtime.play.refusal import find_refusals
from runtime.play.tryout_playthrough import TryoutPlaythrough
from runtime.state import change
from tests.play.test_piece_options import at, decision, game, movers
from tests.sample import sampled


@sampled(0)
def test_a_status_that_refuses_an_action_is_reported() -> None:
    played, playthrough = game("bridge_at_millbrook"), at("bridge_at_millbrook", "offer shoot_at_one").copy()
    mover = next(each for each in movers(played, playthrough) if each.acts)
    target = next(each.value for each in mover.acts[0].chosen if each.name == "target")
    names = [playthrough.state.sheets[piece].name for piece in (mover.piece, target)]
    playthrough.state = playthrough.state.copy()
    change.mark(playthrough.state, "unit.fired", mover.piece)
    found = rulewright.what_would_allow(played, playthrough, names)
    texts = [changes for each in found["refused"] for changes in each["changes"]]
    assert [f"{names[0]} has not fired"] in texts
    assert "not the ground" in found["looked_at"]


def test_reported_changes_make_the_action_open() -> None:
    played, playthrough = game("before_the_tide"), at("before_the_tide", "offer walk")
    now, state = decision(played, playthrough), playthrough.state
    verified_count = 0
    for piece, side in enumerate(state.side):
        far = state.board.names[0 if side == now.side else -1]
        if state.hex[piece] < 0 or side != now.side:
            continue
        for each in what_would_allow(played, playthrough, [state.sheets[piece].name, far]):
            assert each.refusal.reason
            for changes in each.changes:
                trial = TryoutPlaythrough.copy_of(playthrough)
                for one in changes:
                    one.apply(trial.state)
                refusals = find_refusals(played, trial, [state.sheets[piece].name, far])
                assert any(one.action == each.refusal.action and not one.reason for one in refusals), changes
                verified_count += 1
    assert verified_count


def test_an_open_action_has_no_counterfactual() -> None:
    played, playthrough = game("before_the_tide"), at("before_the_tide", "offer walk")
    each = next(each for each in movers(played, playthrough) if each.hexes)
    names = [playthrough.state.sheets[each.piece].name, playthrough.state.board.names[each.hexes[0].route[0]]]
    assert what_would_allow(played, playthrough, names) == []
