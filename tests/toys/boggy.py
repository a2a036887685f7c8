"""Random positions for the carts: a small map, some carts, anything marked."""

import random

from runtime.board.board import Board
from runtime.graph import nodes as graph
from runtime.state import change
from runtime.state.position import State
from runtime.state.record import Sheet
from tests.toys.carts import carts

CARTS = carts()


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
    """Put carts on a random map."""
    dice = random.Random(seed)
    state = State(CARTS, Board(random_map(dice)))
    for number in range(dice.randint(2, 7)):
        traits = frozenset(t for t in ("wheeled", "tall") if dice.random() < 0.5)
        printed = {"speed": dice.randint(0, 12), "might": dice.randint(0, 9), "build": dice.choice(["light", "heavy"])}
        side = dice.choice(["north", "south"])
        piece = change.create(state, Sheet(f"C{number}", "cart", "", side, printed, traits, -1)).subject
        change.move(state, piece, dice.randrange(state.board.size))
        stir(state, piece, dice)
    for h in range(state.board.size):
        if dice.random() < 0.2:
            change.mark(state, "hex.smoky", h)
    change.set_fact(state, "scenario.frost", dice.random() < 0.3)
    change.set_fact(state, "game.bonus", dice.randint(0, 3))
    for hauler in range(1, len(state.kind)):
        if dice.random() < 0.3:
            change.relate(state, "hauls", hauler, 0)
            break
    return state


def stir(state: State, piece: int, dice: random.Random) -> None:
    """Mark a cart and let it have moved."""
    for status in ("cart.dizzy", "cart.tired"):
        if dice.random() < 0.3:
            change.mark(state, status, piece)
    change.set_track(state, "cart.spent", piece, dice.randint(0, 3))
    for _ in range(dice.randint(0, 3)):
        step = {"start": 0, "goal": 1, "paid": dice.choice([0, 1, 2, 4])}
        change.append(state, "cart.path", piece, state.new_record("step", step))


def questions(state: State) -> list[tuple[str, tuple[int, ...]]]:
    """List questions of every term about this state."""
    asked: list[tuple[str, tuple[int, ...]]] = []
    carts_ = range(len(state.kind))
    for name, term in state.graph.terms.items():
        match [parameter.name for parameter in term.parameters]:
            case ["mover", "start", "goal"]:
                asked += [(name, (c, state.hex[c], h)) for c in carts_ for h in state.board.around[state.hex[c]]]
            case ["c"]:
                asked += [(name, (c,)) for c in carts_]
            case ["h"] | ["hex"]:
                asked += [(name, (h,)) for h in range(state.board.size)]
            case ["c", "h"]:
                asked += [(name, (c, h)) for c in carts_ for h in range(0, state.board.size, 3)]
            case ["c", "d"]:
                asked += [(name, (c, d)) for c in carts_ for d in carts_]
            case ["a", "b"]:
                asked += [(name, (a, b)) for a in range(state.board.size) for b in range(0, state.board.size, 7)]
            case _:
                asked += [(name, (odds, die)) for odds in range(-1, 3) for die in range(1, 7)]
    return asked
