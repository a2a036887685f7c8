"""Random positions of the carts: a small map, some carts, random statuses and tracks."""

import random

from runtime.board.board import Board
from runtime.graph import nodes as graph
from runtime.state import change
from runtime.state.position import State
from runtime.state.record import Sheet
from tests.toys.bogged import bog

BOG = bog()


def random_map(dice: random.Random) -> graph.Board:
    """Draw a map of 5 by 4 hexes."""
    hexes = {
        f"{c}.{r}": (c, r, tuple(f for f in ("bog", "thicket", "knoll") if dice.random() < 0.3))
        for c in range(5)
        for r in range(4)
    }
    blank = Board(graph.Board("blank", hexes, (), (), {}))
    sides = [(blank.names[a], blank.names[b]) for a in range(blank.size) for b in blank.around[a] if a < b]
    hedges = tuple((a, b, ("hedge",)) for a, b in sides if dice.random() < 0.25)
    lanes = tuple(("lane", a, b) for a, b in sides if dice.random() < 0.4)
    return graph.Board("random", hexes, hedges, lanes, {})


def random_state(seed: int) -> State:
    """Draw a map with carts on it."""
    dice = random.Random(seed)
    state = State(BOG, Board(random_map(dice)))
    for number in range(dice.randint(2, 7)):
        traits = frozenset(t for t in ("wheeled", "tall") if dice.random() < 0.5)
        printed = {"speed": dice.randint(0, 12), "might": dice.randint(0, 9), "build": dice.choice(["light", "heavy"])}
        side = dice.choice(["north", "south"])
        piece = change.create(state, Sheet(f"C{number}", "cart", "", side, printed, traits)).subject
        if dice.random() < 0.9:
            change.move(state, piece, dice.randrange(state.board.size))
        stir(state, piece, dice)
    hut = change.create(state, Sheet("H", "hut", "", "north", {}, frozenset())).subject
    change.move(state, hut, dice.randrange(state.board.size))
    for h in range(state.board.size):
        if dice.random() < 0.2:
            change.mark(state, "hex.smoky", h)
    change.set_fact(state, "scenario.frost", dice.random() < 0.3)
    change.set_fact(state, "game.bonus", dice.randint(0, 3))
    for load in range(len(state.kind) - 1):
        if dice.random() < 0.4:
            change.relate(state, "hauls", dice.randrange(len(state.kind) - 1), load, dice.randint(0, 3))
    return state


def stir(state: State, piece: int, dice: random.Random) -> None:
    """Set random statuses and tracks of a cart."""
    for status in ("cart.dizzy", "cart.tired"):
        if dice.random() < 0.3:
            change.mark(state, status, piece)
    change.set_track(state, "cart.spent", piece, dice.randint(0, 3))
    for _ in range(dice.randint(0, 3)):
        step = {"start": 0, "goal": 1, "paid": dice.choice([0, 1, 2, 4])}
        change.append(state, "cart.path", piece, state.new_record("step", step))
    if dice.random() < 0.5:
        change.set_track(state, "cart.home", piece, dice.randrange(state.board.size))
