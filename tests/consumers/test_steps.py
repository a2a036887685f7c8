"""Every step, for every consumer of procedures: proofs, the book, mutation, the machine and its reference.

Proofs must not assume the old value of a slot that a step changes. Differences are tested in test_differences.py, files
and evaluators in test_nodes.py.
"""

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from compiler.analysis.checks import check_of_stack
from compiler.rulebook.sentences import wording_of
from compiler.rulebook.steps import read_step
from compiler.rulebook.table import steps_at_table
from runtime.answer.generate import GeneratedEvaluator
from runtime.graph import nodes as graph
from runtime.graph.call_graph import procedures_reached
from runtime.graph.effects import STEP_RECORDS, effects_of
from runtime.graph.effects.record import StepRecord
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.predeclared_types import SIDE
from runtime.graph.read_sets import ReadSetAnalysis
from runtime.graph.slots import EVERYTHING, PositionSlot
from runtime.graph.step_symbols import symbols_of_node
from runtime.graph.steps import map_steps, nested_steps
from runtime.graph.type_of import bound_types
from runtime.graph.walk import walk
from runtime.graph.wording import Wording
from runtime.mutation.procedure_mutants import procedure_mutants
from runtime.play.game import Game
from runtime.state.setup import from_card, from_position
from runtime.witness.access_paths import changed_access_paths
from tests.analysis.planted import cases, compiled, found
from tests.constructs.test_constructs import rules as constructs
from tests.consumers.test_nodes import classes, toys
from tests.play.side_by_side import side_by_side
from tests.reference.game import ReferenceGame
from tests.toys.hares import hares

FIXTURES = Path(__file__).parents[1] / "analysis"
LAYER = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"

STEPS = classes(graph.Step)
# Steps that change no position themselves: names, conditions and control flow; the steps within them are examined
# separately.
QUIET = {
    graph.Let, graph.Legal, graph.Choose, graph.Loop, graph.Branch, graph.Do, graph.Stop, graph.BeginAccount,
}  # fmt: skip
# Steps that rules files do not contain: the end of a status by the clock, and the start of an account.
UNWRITTEN = {graph.End, graph.BeginAccount}


# A die has no part to alter: its faces are a declared domain, and its name is used.
UNALTERED = {graph.Roll}
# The toys' games reach some steps in examples only.
TOWING = """
side north, south
kind cart
relation tows(front: cart, rear: cart)
status cart: done until end of moving
resolution settle(c: cart) {
  let many = count(c.rear)
  if many < 2 { stop }
  mark c as done
}
account {
  before c
  after many
  tells "{c} tows {many}"
}
action hitch by player in moving "Hitch." {
  choose c from {c in all cart where c.side = player and c is not done}
  choose d from {d in all cart where d != c and d not in c.rear}
  relate tows(c, d)
  do settle(c)
}
action drop by player in moving "Drop." {
  choose c from {c in all cart where c.side = player and some(d in c.rear)}
  choose d from c.rear
  unrelate tows(c, d)
}
sequence game { each turn in 1..2 { each player in {north, south} { phase moving "Moving" { offer hitch, drop } } } }
example "three carts" {
  row A
  piece R, S, T: cart of north at A
  piece U: cart of south at A
  ask count(R.rear) = 0
}
"""


def procedures() -> list[tuple[graph.Graph, str, graph.Procedure]]:
    """Return the procedures of all toys."""
    return [(rules, key, each) for rules in toys().values() for key, each in rules.procedures.items()]


def test_each_step_that_changes_the_position_has_a_record() -> None:
    assert set(STEP_RECORDS) == classes(graph.ChangingStep)


def test_the_slots_that_a_step_writes_are_known() -> None:
    """Proofs must not assume the old value of a slot."""
    written: dict[type, set[PositionSlot]] = {}
    for rules, _, procedure in procedures():
        slots = ReadSetAnalysis(rules, any_flips=True).slots
        for step in walk(procedure.body):
            if isinstance(step, graph.Step):
                written.setdefault(step.__class__, set()).update(slots.writes(step))
    assert {kind for kind, slots in written.items() if slots} | {graph.End} == STEPS - QUIET
    unbounded = {kind for kind, slots in written.items() if EVERYTHING in slots} | {graph.End}
    assert unbounded == {graph.Offer, graph.Each, graph.Phase, graph.End}


def test_what_a_step_names_follows_from_its_effects() -> None:
    """A field of a step that holds a name is among its symbols; the exception is the name that it binds."""
    for _, _, procedure in procedures():
        for step in (each for each in walk(procedure.body) if isinstance(each, graph.ChangingStep)):
            for field in fields(step):
                if field.type is str and getattr(step, field.name) not in {"", *bound_types(step)}:
                    other: Any = replace(step, **{field.name: "nowhere"})  # type: ignore[arg-type]
                    assert {*symbols_of_node(other)} != {*symbols_of_node(step)}, (
                        f"{step} does not name its {field.name}"
                    )


def test_the_book_has_a_line_for_each_step() -> None:
    for rules, _, procedure in procedures():
        wording = Wording(rules, names={"player": SIDE, **{each.name: each.type for each in procedure.parameters}})
        for step in procedure.body:
            line = read_step(wording, step)
            assert line.text or line.title, step


def test_each_step_has_a_mutant() -> None:
    altered = {
        mutant.step.__class__
        for rules, key, _ in procedures()
        for mutant in procedure_mutants(rules, key)
        if mutant.step
    }
    assert STEPS - UNWRITTEN - UNALTERED - altered == set()


def test_the_machine_executes_each_step_as_the_reference_does(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    done, before = set[type](), ReferenceGame.execute_step

    def noted(game: ReferenceGame, frame: Any, step: Any, rest: Any = None) -> Any:
        done.add(step.__class__)
        return before(game, frame, step, rest)

    monkeypatch.setattr(ReferenceGame, "execute_step", noted)
    rules, dealt = constructs(), hares()
    game = Game(rules, GeneratedEvaluator(rules))
    for example in rules.examples:
        assert side_by_side(game, from_position(rules, example.position), example.title, 6)[1] == []
    assert side_by_side(Game(dealt, GeneratedEvaluator(dealt)), from_card(dealt), "0", 200)[1] == []
    carts = compiled({"layer.yaml": LAYER, "r.rules": TOWING}, tmp_path)
    position = from_position(carts, carts.examples[0].position)
    for seed in "123":
        assert side_by_side(Game(carts, GeneratedEvaluator(carts)), position, seed, 40)[1] == []
    # The start of an account changes nothing; tests/constructs/test_amended_accounts.py covers it.
    assert STEPS - done == {graph.BeginAccount} - done


def test_a_sequence_reaches_the_hooks_on_the_ends_of_its_rounds() -> None:
    hooks = [
        (rules, key)
        for rules in toys().values()
        for key, procedure in rules.procedures.items()
        if procedure.event in ("end of turn", "end of own_turn") and "sequence" in rules.procedures
    ]
    assert hooks
    assert all(key in procedures_reached(rules, ["sequence"]) for rules, key in hooks)


@frozen_dataclass
class ComposedStep:
    """A step that no consumer knows by its class, with the effects of another one."""

    effects: tuple[Any, ...]


@pytest.fixture
def _composing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give composed steps a record."""
    record = StepRecord[Any](
        ComposedStep, lambda step: step.effects, lambda _: "compose", lambda *_: "something changes"
    )
    monkeypatch.setitem(STEP_RECORDS, ComposedStep, record)
    for union in ("ChangingStep", "Step"):
        monkeypatch.setattr(graph, union, getattr(graph, union) | ComposedStep)


def composed(step: Any) -> Any:
    """Return a composed step for one that changes the position; other steps as they are."""
    return ComposedStep(effects_of(step)) if effects_of(step) else step


def with_composed_steps(rules: graph.Graph) -> graph.Graph:
    """Return a graph with composed steps."""
    bodies = {key: map_steps(each.body, lambda step: (composed(step),)) for key, each in rules.procedures.items()}
    return replace(rules, procedures={key: replace(rules.procedures[key], body=body) for key, body in bodies.items()})


@pytest.mark.usefixtures("_composing")
def test_checks_find_the_same_in_steps_that_they_do_not_know(tmp_path: Path) -> None:
    seen: set[type] = set()
    planted = [(file.stem, case) for file in sorted(FIXTURES.glob("*.rules")) for case in cases(file.name)]
    stacks = [compiled(case.files, tmp_path / f"{stem}{number}") for number, (stem, case) in enumerate(planted)]
    for rules in stacks:
        seen.update(step.__class__ for step in walk(rules.procedures) if effects_of(step))
        disguised = with_composed_steps(rules)
        if disguised == rules:
            continue
        for check in check_of_stack.checks():
            assert found(tuple(check(disguised))) == found(tuple(check(rules))), (check.__name__, rules.stack)
    # The planted stacks flip and create no pieces; the toys of the other tests do.
    assert STEP_RECORDS.keys() - seen == {ComposedStep, graph.Flip, graph.Create}


@pytest.mark.usefixtures("_composing")
def test_deeds_and_paths_do_not_depend_on_the_class_of_a_step() -> None:
    for rules, key, procedure in procedures():
        disguised = with_composed_steps(rules)
        steps = list(nested_steps(procedure.body))
        slots = ReadSetAnalysis(rules, any_flips=True).slots
        assert [set(slots.writes(step)) for step in steps] == [set(slots.writes(composed(step))) for step in steps]
        paths, other_paths = (changed_access_paths(each, each, key, "") for each in (rules, disguised))
        assert [path.conditions for _, path in paths] == [path.conditions for _, path in other_paths]


@pytest.mark.usefixtures("_composing")
def test_players_perform_the_same_steps_whatever_their_class() -> None:
    for rules, key, procedure in procedures():
        wording, body = wording_of(rules, procedure.parameters), with_composed_steps(rules).procedures[key].body
        performed, others = (steps_at_table(wording, each, frozenset({key})) for each in (procedure.body, body))
        assert len(performed) == len(others)
