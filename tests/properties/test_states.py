"""Copies of a state are independent, undo is exact, and equal positions have equal digests."""

import random

import pytest

from runtime.state import change
from runtime.state.digest import canonical_text, state_digest
from runtime.state.position import State
from runtime.state.record import Event, Sheet
from tests.toys.boggy import random_state


def stir(state: State, dice: random.Random, steps: int) -> list[Event]:
    """Apply `steps` random changes to a state; return the events."""
    return [happen(state, dice) for _ in range(steps)]


def happen(state: State, dice: random.Random) -> Event:  # noqa: C901 - one of many things
    """Apply one random change to a state; return the event."""
    carts = [p for p, kind in enumerate(state.kind) if kind == "cart"]
    one, other = dice.choice(carts), dice.choice(carts)
    match dice.randrange(14):
        case 0:
            return change.move(state, one, dice.randrange(state.board.size), dice.choice(["open", "indoors"]))
        case 1:
            return change.remove(state, one)
        case 2:
            return change.mark(state, "cart.dizzy", one)
        case 3:
            return change.unmark(state, "cart.dizzy", one)
        case 4:
            return change.set_track(state, "cart.spent", one, dice.randrange(4))
        case 5:
            step = state.new_record("step", {"start": 0, "goal": 1, "paid": dice.randrange(3)})
            return change.append(state, "cart.path", one, step)
        case 6:
            return change.set_fact(state, "game.bonus", dice.randrange(4))
        case 7:
            return change.relate(state, "hauls", one, other, dice.randrange(3))
        case 8:
            return change.unrelate(state, "hauls", one, other)
        case 9:
            return change.write(state, state.new_record("plan", {"carts": (one,), "aim": 3}))
        case 10 if state.records["plan"]:
            return change.remove_record(state, dice.choice(state.records["plan"]))
        case 11 if state.records["plan"]:
            return change.amend(state, dice.choice(state.records["plan"]), "luck", dice.randrange(1, 4))
        case 12:
            return change.create(state, Sheet("N", "cart", "", "north", {"might": 1}, frozenset()))
        case _:
            hand = dice.randrange(3)
            if hand == 0:
                return change.set_turn(state, state.turn + 1)
            return change.set_player(state, "south") if hand == 1 else change.set_phase(state, "x")


@pytest.mark.parametrize("seed", range(20))
def test_undo_restores_the_position_before_every_event(seed: int) -> None:
    dice = random.Random(seed)
    state = random_state(seed)
    before = [canonical_text(state)]
    events = []
    for _ in range(60):
        events.append(happen(state, dice))
        before.append(canonical_text(state))
    for event in reversed(events):
        assert canonical_text(state) == before.pop()
        change.undo(state, event)
    assert canonical_text(state) == before.pop()
    for event in events:
        change.redo(state, event)
    assert all(len(pieces) for pieces in state.at.values())


@pytest.mark.parametrize("seed", range(10))
def test_copies_are_independent(seed: int) -> None:
    dice = random.Random(seed)
    state = random_state(seed)
    stir(state, dice, 10)
    copied = state.copy()
    assert canonical_text(copied) == canonical_text(state)
    state_text = canonical_text(state)
    stir(copied, dice, 40)
    assert canonical_text(state) == state_text
    state_text = canonical_text(copied)
    stir(state, dice, 40)
    assert canonical_text(copied) == state_text


def test_events_replayed_on_another_state_give_the_same_digest() -> None:
    for seed in range(5):
        state = random_state(seed)
        copied = random_state(seed)
        events = stir(state, random.Random(seed), 40)
        for event in events:
            change.redo(copied, event)
        assert state_digest(copied) == state_digest(state)


def test_a_track_at_its_first_value_does_not_change_the_digest() -> None:
    state = random_state(1)
    change.set_track(state, "cart.spent", 0, 0)
    before = state_digest(state)
    change.set_track(state, "cart.spent", 0, 3)
    assert state_digest(state) != before
    change.set_track(state, "cart.spent", 0, 0)
    assert state_digest(state) == before


def test_the_end_of_a_moment_resets_statuses_and_tracks_of_its_side() -> None:
    state = random_state(2)
    for piece in (0, 1):
        change.mark(state, "cart.tired", piece)
        change.set_track(state, "cart.spent", piece, 2)
    before = state_digest(state)
    events = change.end_moment(state, "own_turn", state.side[0])
    assert not state.is_marked("cart.tired", 0)
    assert state.track("cart.spent", 0) == 0
    if state.side[1] != state.side[0]:
        assert state.is_marked("cart.tired", 1)
    for event in reversed(events):
        change.undo(state, event)
    assert state_digest(state) == before
