"""Rules that withdraw a phase, an action or a step, and examples of the absence.

An example can state that a part is absent, and only such an example detects the mutant without the rule.
"""

from pathlib import Path

import pytest

from compiler.source.package import load_layer
from rulewright.checks.mutation.mutant_trials import MutationLimits, try_mutants
from rulewright.checks.mutation.mutation_scenes import MutationStack
from rulewright.checks.testing import run_tests
from rulewright.library.ablation import without_labels
from rulewright.library.example_targets import ExampleTarget
from rulewright.library.stacks import PackageSet, open_packages
from runtime.experiment.reachable_changes import changes_of
from runtime.graph.procedure_pairs import procedure_pairs
from runtime.mutation.mutant import RULE
from runtime.mutation.protection import mutants_of

BASE = """
side red, blue
kind unit
status unit: tired, fed
action feed by player in supper [T.1] "Feed one." preferring none "a toy" {
  choose u from {u in all unit where u.side = player}
  mark u as fed
}
action tire by player in work [T.1] "Tire one." preferring none "a toy" {
  choose u from {u in all unit where u.side = player}
  mark u as tired
}
resolution rest() [T.1] "All rest." { for each u in all unit { unmark u as tired } }
sequence toy [T.1] {
  each player [T.1] in {red, blue} {
    phase work "Work" [T.1] { offer tire until yes  do rest() }
    phase supper "Supper" [T.1] { offer feed until yes }
  }
}
example "one day" {
  row A
  piece U: unit of red at A
  order phase work of red, offer tire, do rest, phase supper of red, offer feed
}
example "one is tired and fed" {
  row A
  piece U: unit of red at A
  act tire(u: U)
  act feed(u: U)
  ask U is tired and U is fed
}
"""
FAST = """
rule no-supper [T.1] "Nobody eats." withdraws phase supper
rule no-work [T.1] "Nobody works." withdraws action tire
rule no-rest [T.1] "Nobody rests." withdraws step do rest of phase work
"""
SHOWN = """
example "a fast" { row A  order phase work of red, no phase supper, phase work of blue }
example "idle" { row A  order phase work of red, no offer tire, phase work of blue }
example "no rest" { row A  order phase work of red, no do rest, phase work of blue }
"""


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """Write a game of two phases, and a layer that withdraws a phase, an action and a step."""
    for name, manifest, rules in (
        ("day", "layer: day\ntitle: Day\nkind: base\n", BASE),
        ("fast", "layer: fast\ntitle: Fast\nkind: variant\non: [day]\n", FAST),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "layer.yaml").write_text(manifest)
        (tmp_path / name / "all.rules").write_text(rules)
    (tmp_path / "day" / "sources.yaml").write_text("sources: [{prefix: T, title: Toy, edition: ours, items: [T.1]}]\n")
    return tmp_path


def _unprotected(folder: Path) -> set[str]:
    scene = MutationStack(ExampleTarget("fast"), "layers", ("day",))
    rules = scene.graph(open_packages([folder]))
    assert rules is not None
    mutants = list(mutants_of(rules))
    rule_indices = [number for number, each in enumerate(mutants) if each.kind == RULE and each.origin.layer == "fast"]
    answers = try_mutants(scene, [folder], mutants, rule_indices, rules, MutationLimits())
    return {mutants[number].name for number, noticed in answers if not noticed}


@pytest.mark.parametrize("count", range(3))
def test_an_example_of_an_absence_protects_one_withdrawal(toy: Path, count: int) -> None:
    """A rule is removed by compiling without it: amendments of two rules in one procedure are reported separately."""
    assert _unprotected(toy) == {"no-supper", "no-work", "no-rest"}
    example = SHOWN.strip().splitlines()[count]
    (toy / "fast" / "shown.rules").write_text(example)
    assert run_tests(open_packages([toy]), "fast").cases == (1, 0)
    assert len(_unprotected(toy)) == 2


def test_an_absence_that_no_layer_caused_is_reported(toy: Path) -> None:
    """An example may state the absence only of parts that a layer of its stack withdraws, and not their presence."""
    for line in ("no phase lunch", "phase supper", "no offer sleep", "no do work"):
        (toy / "fast" / "shown.rules").write_text(f'example "x" {{ row A  order phase work of red, {line} }}')
        found = open_packages([toy]).compiled("fast").diagnostics
        assert [each.code for each in found] == ["R0201"], (line, found)


def test_use_is_counted_for_the_withdrawn_part_not_for_the_rule(toy: Path) -> None:
    """The withdrawn phase is watched in place of the rule."""
    packages = open_packages([toy])
    day, fast = (packages.compiled(name).graph for name in ("day", "fast"))
    assert day is not None
    assert fast is not None
    watched = {(each.kind, each.name) for each in changes_of(day, fast).watched}
    assert ("phase", "supper") in watched
    assert not any(what == "rule" for what, _ in watched)


def test_procedures_that_only_a_withdrawn_phase_offers_are_no_difference(toy: Path) -> None:
    """The differences are the sequence, which has no phase `supper`, and the action that a rule withdraws itself."""
    packages = open_packages([toy])
    day, fast = (packages.compiled(name).graph for name in ("day", "fast"))
    assert day is not None
    assert fast is not None
    differing = {pair.first_key or pair.second_key for pair in procedure_pairs(day, fast) if not pair.is_equal}
    assert differing == {"sequence", "action:tire"}


def test_a_rule_that_a_book_names_can_be_left_out() -> None:
    """The shipped book names the rule by its label; `compare --ablate` and `test --mutate` compile without the rule."""
    packages = open_packages()
    read = load_layer(packages.library, "frost_short_days")[0]
    assert any("short-days" in repr(book) for book in read.books)
    left = PackageSet(without_labels(packages.library, "frost_short_days", ["short-days"]), (), ("short-days",))
    stack = left.compiled("frost_short_days")
    assert stack.graph is not None, stack.diagnostics
    assert "short-days" not in stack.graph.rules
