"""Plant faults, and see that what the failing examples blame is where the fault is."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from compiler.report.answers import ExampleFailed
from rulewright.library.stacks import open_packages
from rulewright.testing import run_tests
from runtime.examples.run import run_examples
from runtime.graph import nodes as graph
from runtime.mutation.localization import FailureCause, failure_causes
from runtime.mutation.mutant import FIGURE, TRAIT, Mutant
from runtime.mutation.protection import mutants_of
from tests.sample import LONG

# Every so manieth alteration of the tutorial's game in every run, and how many of ten must be named. What is missed are
# rules that are gone, of which nothing is left to point at, and notes that last too long.
SOME, ALL = 19, 3
OF_TEN = 8

LAYER = "layer: toy\ntitle: Toy\nkind: base\n"
SOURCES = "sources:\n  - {prefix: T, title: Toy, edition: ours, items: [T.1, T.2, T.3]}\n"
RULES = """measure MP "points" side red, blue
status unit: loaded until end of game, seen until end of game
kind unit has speed: 0..9 MP
feature hex: bog, wood

value price(u: unit, to: hex): 1..9 MP
rule open-ground [T.1] "It costs one." price is 1 MP
rule bog [T.1] "A bog costs three." price is 3 MP exception to open-ground when to is bog

verdict may_enter(u: unit, to: hex) default allowed
rule no-points [T.2] "Nobody goes farther than his points take him."
  may_enter forbidden
  when price(u, to) > u.speed

resolution take(u: unit) [T.3] "Load." {
  mark u as loaded
  mark u as seen
}
"""
EXAMPLES = """
example "what it costs" {
  row A, B bog, C wood
  piece U: unit of red at A (speed 3 MP)
  piece V: unit of red at A (speed 2 MP)
  ask price(U, A) = 1 MP
  ask price(U, B) = 3 MP
  ask may_enter(U, B) = allowed
  ask may_enter(V, B) = forbidden
}
example "just enough" {
  row A, B
  piece W: unit of red at A (speed 1 MP)
  ask may_enter(W, B) = allowed
}
example "loading" {
  row A
  piece U: unit of red at A
  do take(U)
  ask U is loaded
  ask U is seen
}
example "a bog for each" {
  row A, B bog
  piece U: unit of red at A (speed 9 MP)
  ask may_enter(U, B) = allowed
}
"""


def failures_with(tmp_path: Path, was: str, now: str) -> list[tuple[str, str, str, tuple[str, ...]]]:
    """Put something else into the rules; give example, how its first cause is known, its label and what changes."""
    assert RULES.count(was) == 1
    folder = tmp_path / "toy"
    folder.mkdir()
    (folder / "layer.yaml").write_text(LAYER)
    (folder / "sources.yaml").write_text(SOURCES)
    (folder / "toy.rules").write_text(RULES.replace(was, now) + EXAMPLES)
    package_set = open_packages((tmp_path,))
    failed = run_tests(package_set, "toy").groups[0].failed
    return [
        (each.example, cause.kind, f"{cause.party.label}: {cause.change}", each.repaired)
        for each in failed
        for cause in each.causes[:1]
    ]


def failed_with(tmp_path: Path, more: str) -> ExampleFailed:
    """Write the toy with more rules and examples, and give the only example that fails."""
    folder = tmp_path / "toy"
    folder.mkdir()
    (folder / "layer.yaml").write_text(LAYER)
    (folder / "sources.yaml").write_text(SOURCES)
    (folder / "toy.rules").write_text(RULES + more)
    [failed] = run_tests(open_packages((tmp_path,)), "toy").groups[0].failed
    return failed


def test_says_what_mends_a_bound_and_tells_the_examples_together(tmp_path: Path) -> None:
    """The example with the fewest questions stands for both; the other comes out with the same."""
    found = failures_with(tmp_path, "price(u, to) > u.speed", "price(u, to) >= u.speed")
    change = "no-points: with `price(u, to) > u.speed` for `price(u, to) >= u.speed`"
    assert found == [("just enough", "repair", change, ("what it costs",))]


RAILS = """
path road, rail
condition quick(u: unit, to: hex) default no reads "{u} is quickly in {to}" denied "{u} is not quickly in {to}"
rule on-tracks [T.1] "Roads and rails are quick." quick holds when between(u.hex, to) has road
example "by road" for (kind_of, answer) in (road, yes), (rail, yes) {
  row A, B, C
  path kind_of A-B
  piece U: unit of red at A
  ask quick(U, B) = answer
  ask quick(U, C) = no
}
"""
FOES = """
define foe(s: side): side [T.1] = if s = red then blue else red reads "the enemy of {s}"
define many(s: side): 0..99 [T.1] = count(x in all unit where x.side = s) reads "how many {s} has"
condition outnumbered(u: unit) default no reads "{u} is outnumbered" denied "{u} is not outnumbered"
rule fewer [T.2] "Who has fewer than the enemy is outnumbered."
  outnumbered holds
  when many(u.side) < many(u.side)
example "two to one" {
  row A
  piece U: unit of red at A
  piece V, W: unit of blue at A
  ask outnumbered(V) = no
  ask outnumbered(U)
}
"""


@pytest.mark.parametrize(
    ("more", "label", "change"),
    [
        (RAILS, "on-tracks", "between(u.hex, to) has road or between(u.hex, to) has rail"),
        (FOES, "fewer", "with `foe(u.side)` for `u.side`"),
    ],
)
def test_what_mends_may_be_another_path_or_the_other_side(tmp_path: Path, more: str, label: str, change: str) -> None:
    causes_ = failed_with(tmp_path, more).causes
    assert any(each.party.label == label and change in each.change for each in causes_), causes_


def test_two_columns_exchanged_are_one_finding_at_their_chart(tmp_path: Path) -> None:
    """Whatever fails: two examples, three cases."""
    chart = "table: toll\ncites: T.1\nkeys: {row: ground, column: gait}\ncell: MP\ncolumns: [wheel, foot]\n"
    grid = "grid: {clear: [1, 2], bog: [2, 4], wood: [3, 3]}\n"
    rules = """\
measure MP
enum ground: clear, bog, wood
enum gait: foot, wheel
value price(g: ground, way: gait): 0..9 MP
rule by-the-chart [T.1] "As the chart says." price is toll[g, way]
example "on foot" { ask price(clear, foot) = 1 MP ask price(bog, foot) = 2 MP }
example "on wheels" for (g, n) in (clear, 2 MP), (bog, 4 MP), (wood, 3 MP) { ask price(g, wheel) = n }
"""
    folder = tmp_path / "toy"
    folder.mkdir()
    texts = {"layer.yaml": LAYER, "sources.yaml": SOURCES, "toy.rules": rules, "toll.yaml": chart + grid}
    for name, text in texts.items():
        (folder / name).write_text(text)
    [failed] = run_tests(open_packages((tmp_path,)), "toy").groups[0].failed
    assert (failed.values, failed.other_count) == (("column", "wheel", "foot"), 2)
    assert [name for name, _ in failed.cells] == ["toll"]


def test_says_which_word_mends(tmp_path: Path) -> None:
    """Not only the next word of the list."""
    found = failures_with(tmp_path, "when to is bog", "when to is wood")
    assert [each[1:3] for each in found] == [("repair", "bog: with `to is bog` for `to is wood`")]


def test_says_which_name_was_meant_where_another_is_derived(tmp_path: Path) -> None:
    """Asked of the hex where the unit stands, not of the one it goes to."""
    found = failures_with(tmp_path, "price(u, to) > u.speed", "price(u, u.hex) > u.speed")
    assert [each[1:3] for each in found] == [("repair", "no-points: with `price(u, to)` for `price(u, u.hex)`")]


def test_says_which_exception_is_missing(tmp_path: Path) -> None:
    """Two rules answer, and one of them was to give way."""
    found = failures_with(tmp_path, "exception to open-ground", "")
    assert found[0][1:3] == ("repair", "bog: with `exception to open-ground`")


def test_names_the_procedure_that_lacks_a_step(tmp_path: Path) -> None:
    """A step that nothing else carries out is put back where its names are known."""
    found = failures_with(tmp_path, "  mark u as seen\n", "")
    assert found == [("loading", "repair", "resolution take: with `mark as seen` behind this", ())]


def test_names_what_alone_fails_before_what_was_done_last(tmp_path: Path) -> None:
    """A step that only failing cases reach is likelier than the step before the line that fails."""
    more = """
track unit.far: 0..9 = 0
resolution rest(u: unit) [T.3] "Rest." { unmark u as seen }
example "loading, and a rest" {
  row A
  piece U: unit of red at A
  do take(U)
  do rest(U)
  ask U.far = 3
}
example "a rest" {
  row A
  piece U: unit of red at A (seen)
  do rest(U)
  ask U is seen = no
}
"""
    failed = failed_with(tmp_path, more)
    assert [each.party.label for each in failed.causes] == ["resolution take", "resolution rest"]


def test_says_whose_enemy_was_meant(tmp_path: Path) -> None:
    """A question that leads from a side to another one is put around it, or taken away."""
    more = """
define foe(of: side): side [T.1] = if of = red then blue else red
condition held(by: side, h: hex) default no
define places(of: side): set of hex [T.1] = {u.hex for u in all unit where u.side = of}
rule held-by-them [T.2] "The enemy holds what he stands in." held holds when h in places(by)
example "whose hex" {
  row A, B, C
  piece U: unit of red at A
  piece V: unit of blue at B
  ask held(red, C) = no
  ask held(blue, A) = yes
  ask held(red, A) = no
  ask held(red, B) = yes
}
"""
    failed = failed_with(tmp_path, more)
    changes = [f"{each.party.label}: {each.change}" for each in failed.causes]
    assert "held-by-them: with `foe(by)` for `by`" in changes


def test_names_who_overrules_the_rule_that_was_to_speak(tmp_path: Path) -> None:
    """The condition that is gone is of no rule, so nothing mends it."""
    more = """
status unit: tired until end of game
rule tired-legs [T.1] "Who is tired pays two." price is 2 MP exception to open-ground, bog
example "who is not tired" {
  row A
  piece U: unit of red at A
  ask price(U, A) = 1 MP because open-ground
}
example "who is tired" {
  row A
  piece T: unit of red at A (tired)
  ask price(T, A) = 2 MP because tired-legs
}
"""
    failed = failed_with(tmp_path, more)
    found = [(each.kind, each.party.label) for each in failed.causes]
    assert found == [("silent", "open-ground"), ("suspect", "tired-legs")]


def test_a_rule_that_changes_a_procedure_of_the_layer_below(tmp_path: Path) -> None:
    """The change of the upper layer is named before the procedure, which is as before."""
    option = {
        "layer.yaml": "layer: haste\ntitle: Haste\nkind: optional\non: [toy]\ncites: house\n",
        "haste.rules": """
rule unseen [house] "Who loads is not seen."
  withdraws step mark u as loaded of resolution take
example "unseen" {
  row A
  piece U: unit of red at A
  do take(U)
  ask (U is loaded) = yes
  ask (U is seen) = no
}
""",
    }
    for name, files in (("toy", {"layer.yaml": LAYER, "sources.yaml": SOURCES, "toy.rules": RULES}), ("haste", option)):
        (tmp_path / name).mkdir()
        for file, text in files.items():
            (tmp_path / name / file).write_text(text)
    [failed, *_] = run_tests(open_packages((tmp_path,)), "toy+haste").groups[0].failed
    known = [(each.kind, each.party.label) for each in failed.causes]
    assert known[0] == ("amends", "unseen"), known


def planted() -> Iterator[Mutant]:
    """List the alterations of the tutorial's game; those of counters fail where they are printed."""
    rules = open_packages(()).compiled("low_tide").graph
    assert rules is not None
    yield from (each for each in mutants_of(rules) if each.kind not in (FIGURE, TRAIT))


def blamed(rules: graph.Graph, found: list[FailureCause]) -> set[str]:
    """List the rules, procedures and charts that are named."""
    tables = {row: name for name, table in rules.tables.items() for row in table.rows}
    repairs = (each.procedure or each.name for cause in found for each in cause.repairs)
    suspects = (name for cause in found for _, name in cause.suspects)
    named = (name if isinstance(name, str) else tables[name] for name in suspects)  # type: ignore[index]
    return {*repairs, *named, *(label for cause in found for label in cause.inactive_rules)}


@pytest.mark.parametrize("every", [SOME, pytest.param(ALL, marks=LONG)])
def test_blames_the_place_that_was_altered(every: int) -> None:
    """Of those that an example notices, most are named, and seldom with more than three others."""
    right, all_of_them = 0, 0
    for mutant in [*planted()][::every]:
        altered = replace(next(mutant.variants()))
        runs = [*run_examples(altered)]
        if any(run.failures for run in runs):
            named = blamed(altered, failure_causes(altered, runs))
            all_of_them += 1
            right += (mutant.procedure or mutant.name.partition("[")[0]) in named and len(named) <= 4
    assert all_of_them
    assert right * 10 >= all_of_them * OF_TEN, (right, all_of_them)
