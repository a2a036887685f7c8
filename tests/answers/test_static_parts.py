"""Parts of guards that depend on the map alone are memoized over events; a loop over a status needs a piece with it."""

from pathlib import Path
from random import Random

import pytest

from rulewright.library.stacks import open_packages
from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.interpreter import Interpreter
from runtime.answer.module_text import module_text
from runtime.board.board import Board
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import Unanswered
from runtime.graph.budget import allow_members, open_budget
from runtime.state import change
from runtime.state.position import State
from runtime.state.record import Sheet
from tests.sample import sampled

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
    """Compile rules on sight: one guard that depends on the map, one that depends on smoke."""
    folder = tmp_path_factory.mktemp("haze")
    (folder / "layer.yaml").write_text(LAYER, encoding="utf-8")
    (folder / "world.rules").write_text(WORLD, encoding="utf-8")
    stack = open_packages((Path(folder),)).compiled("haze")
    assert stack.graph is not None, stack.problems
    return stack.graph


def position(rules: graph.Graph, seed: int, *, sheets: int = 1) -> State:
    """Return a state with guns on a random map of one or two sheets, without smoke."""
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
    """Ask both terms about every gun and hex."""
    found: list[object] = []
    for h in range(state.board.size):
        for piece in range(len(state.sheets)):
            try:
                found.append(ask.ask(state, "sees", (piece, h)))
            except Unanswered as unanswered:
                found.append(type(unanswered))
        found.append(ask.ask(state, "shelled", (h,)))
    return found


@sampled(1)
@pytest.mark.parametrize("sheets", [1, 2])
@pytest.mark.parametrize("seed", range(4))
def test_generated_code_has_the_answers_of_the_interpreter(rules: graph.Graph, seed: int, sheets: int) -> None:
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


def test_the_static_part_of_a_guard_is_evaluated_once(rules: graph.Graph) -> None:
    state, generated = position(rules, 1), GeneratedEvaluator(rules)

    def members() -> float:
        with allow_members(1_000_000) as used, open_budget():
            answers(generated, state)
            return used()

    first = members()
    change.mark(state, "gun.shut", 0)  # This event discards every memo of the position.
    second_members = members()
    change.mark(state, "hex.smoky", 0)
    in_smoke = members()
    assert first > 1_000
    assert second_members == state.board.size * len(state.sheets)  # Only the shut guns are visited, once for each hex.
    assert in_smoke > second_members


def test_each_rule_has_one_static_part_and_one_test_of_its_status(rules: graph.Graph) -> None:
    text = module_text(rules)
    assert text.count("def sees_too_many_hills_static(") == 1
    assert text.count("s.marks['hex.smoky'] or not b.is_one_sheet") == 2
    assert " ".join(text.split()).count("if s.marks['gun.shut'] else False") == 2
    assert "shelled_shells_static" not in text
