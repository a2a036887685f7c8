"""Parts of guards that the map decides outlive events; a pass for what has a status is begun only where some has."""

from pathlib import Path
from random import Random

import pytest

from rulewright.library.stacks import open_packages
from runtime.answer.answer import Unanswered
from runtime.answer.generate import GeneratedEvaluator, module_text
from runtime.answer.interpreter import Interpreter
from runtime.board.board import Board
from runtime.graph import nodes as graph
from runtime.graph.budget import allow_members, open_budget
from runtime.state import change
from runtime.state.position import State
from runtime.state.record import Sheet

LAYER = "layer: haze\ntitle: Haze\nkind: base\nplayable: yes\n"
WORLD = """side one, two
kind gun
feature hex: hill
status hex: smoky until end of turn
status gun: shut until end of turn

verdict sees(g: gun, h: hex) default allowed
  reads "{g} sees {h}" denied "{g} does not see {h}"
condition shelled(h: hex) default no
  reads "{h} is shelled"

rule too-many-hills [house] "Hills around shut a hex off."
  sees forbidden
  when count(x in all hex where x is hill and distance(x, h) <= 2 and distance(x, g.hex) <= 2) > 2

rule smoke [house] "Nobody sees through smoke."
  sees forbidden
  when some(c in line(g.hex, h) where c.over is smoky)

rule shells [house] "Any shut gun tells."
  shelled holds
  when count(g in all gun where g is shut and distance(g.hex, h) <= 3) > 0
"""


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> graph.Graph:
    """Rules on what is seen: one that the map decides, one that smoke does."""
    folder = tmp_path_factory.mktemp("haze")
    (folder / "layer.yaml").write_text(LAYER, encoding="utf-8")
    (folder / "world.rules").write_text(WORLD, encoding="utf-8")
    stack = open_packages((Path(folder),)).compiled("haze")
    assert stack.graph is not None, stack.problems
    return stack.graph


def position(rules: graph.Graph, seed: int, *, sheets: int = 1) -> State:
    """Put guns on a random map of one sheet or two, in no smoke."""
    dice = Random(seed)
    hexes: dict[str, tuple[int, int, tuple[str, ...]]] = {
        f"{c}.{r}": (c, r, ("hill",) if dice.random() < 0.3 else ()) for c in range(8) for r in range(5)
    }
    halves = {f"sheet:{n}": tuple(name for name in hexes if (name < "4") == (n == 1)) for n in (1, 2)}
    regions = {} if sheets == 1 else halves
    state = State(rules, Board(graph.Board("random", hexes, (), (), regions)))
    for number in range(4):
        piece = change.create(state, Sheet(f"G{number}", "gun", "", "one", {}, frozenset())).subject
        change.move(state, piece, dice.randrange(state.board.size))
    return state


def answers(ask: GeneratedEvaluator | Interpreter, state: State) -> list[object]:
    """Ask of every gun and hex."""
    found: list[object] = []
    for h in range(state.board.size):
        for piece in range(len(state.sheets)):
            try:
                found.append(ask.ask(state, "sees", (piece, h)))
            except Unanswered as unanswered:
                found.append(type(unanswered))
        found.append(ask.ask(state, "shelled", (h,)))
    return found


@pytest.mark.parametrize("sheets", [1, 2])
@pytest.mark.parametrize("seed", range(4))
def test_answers_are_the_interpreters(rules: graph.Graph, seed: int, sheets: int) -> None:
    state, dice = position(rules, seed, sheets=sheets), Random(seed)
    generated, interpreter = GeneratedEvaluator(rules), Interpreter(rules)
    seen: set[str] = set()
    for _ in range(4):
        alone = [generated.value(state, "shelled", (h,)) for h in range(state.board.size)]
        assert alone == [interpreter.ask(state, "shelled", (h,)).value for h in range(state.board.size)]
        given = answers(generated, state)
        assert given == answers(interpreter, state)
        seen.update(map(str, given))
        change.mark(state, "hex.smoky", dice.randrange(state.board.size))
        change.mark(state, "gun.shut", dice.randrange(len(state.sheets)))
        change.move(state, dice.randrange(len(state.sheets)), dice.randrange(state.board.size))
    assert len(seen) > (4 if sheets == 2 else 3)


def test_what_the_map_decides_is_worked_out_once(rules: graph.Graph) -> None:
    state, generated = position(rules, 1), GeneratedEvaluator(rules)

    def members() -> float:
        with allow_members(1_000_000) as used, open_budget():
            answers(generated, state)
            return used()

    first = members()
    change.mark(state, "gun.shut", 0)  # No answer that is kept for the position outlives this.
    second_members = members()
    change.mark(state, "hex.smoky", 0)
    in_smoke = members()
    assert first > 1_000
    assert second_members == state.board.size * len(state.sheets)  # Those that are shut are asked for, by every hex.
    assert in_smoke > second_members


def test_both_are_written_once_a_rule(rules: graph.Graph) -> None:
    text = module_text(rules)
    assert text.count("def sees_too_many_hills_static(") == 1
    assert text.count("s.marks['hex.smoky'] or not b.is_one_sheet") == 2
    assert " ".join(text.split()).count("if s.marks['gun.shut'] else False") == 2
    assert "shelled_shells_static" not in text
