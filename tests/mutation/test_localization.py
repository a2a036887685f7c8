"""Faults are planted in rules; the causes that failing examples report are compared with the places of the faults."""

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
from tests.sample import LONG, sampled

# Every SOME-th mutant of the tutorial's game in every run, every ALL-th in the long one. OF_TEN of ten must be located.
# Not located are removed rules, which leave no place to report.
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
    """Replace a text in the rules and run the examples.

    Return for each failing example its title, the kind of its first cause, the label and change of that cause, and the
    examples that this repair makes pass.
    """
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
    """Write the toy with additional rules and examples, and return the only example that fails."""
    folder = tmp_path / "toy"
    folder.mkdir()
    (folder / "layer.yaml").write_text(LAYER)
    (folder / "sources.yaml").write_text(SOURCES)
    (folder / "toy.rules").write_text(RULES + more)
    [failed] = run_tests(open_packages((tmp_path,)), "toy").groups[0].failed
    return failed


def test_a_repair_of_a_bound_is_reported_once_for_both_examples(tmp_path: Path) -> None:
    """The report is on the example with the fewest questions, and lists the other as repaired by the same change."""
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
def test_a_repair_may_be_another_path_or_the_other_side(tmp_path: Path, more: str, label: str, change: str) -> None:
    causes_ = failed_with(tmp_path, more).causes
    assert any(each.party.label == label and change in each.change for each in causes_), causes_


def test_two_columns_exchanged_are_one_finding_at_their_chart(tmp_path: Path) -> None:
    """The finding of one example names the chart, the keys and the other example, whose finding follows."""
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
    failed, consequence = run_tests(open_packages((tmp_path,)), "toy").groups[0].failed
    assert (failed.values, failed.repaired) == (("column", "wheel", "foot"), (consequence.example,))
    assert consequence.repaired_with == failed.example
    assert [name for name, _ in failed.cells] == ["toll"]


def test_a_repair_may_be_any_word_of_an_enumeration(tmp_path: Path) -> None:
    """The right word is not the one after the wrong word in the list."""
    found = failures_with(tmp_path, "when to is bog", "when to is wood")
    assert [each[1:3] for each in found] == [("repair", "bog: with `to is bog` for `to is wood`")]


def test_a_repair_replaces_a_derived_value_by_a_name(tmp_path: Path) -> None:
    """The question is asked of the hex of the unit instead of the hex that it enters."""
    found = failures_with(tmp_path, "price(u, to) > u.speed", "price(u, u.hex) > u.speed")
    assert [each[1:3] for each in found] == [("repair", "no-points: with `price(u, to)` for `price(u, u.hex)`")]


def test_a_repair_adds_a_missing_exception(tmp_path: Path) -> None:
    """Two rules answer differently, because the relation between them was removed."""
    found = failures_with(tmp_path, "exception to open-ground", "")
    assert found[0][1:3] == ("repair", "bog: with `exception to open-ground`")


def test_a_repair_restores_a_step_in_its_procedure(tmp_path: Path) -> None:
    """The removed step occurs in no other procedure; it is inserted where its names are bound."""
    found = failures_with(tmp_path, "  mark u as seen\n", "")
    assert found == [("loading", "repair", "resolution take: with `mark as seen` behind this", ())]


def test_a_step_of_failing_cases_only_is_listed_before_the_last_step(tmp_path: Path) -> None:
    """A step that only failing cases execute ranks above the step before the line that fails."""
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


def test_a_repair_applies_a_question_from_side_to_side(tmp_path: Path) -> None:
    """The repair wraps a side in a question that returns another side."""
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


def test_a_missing_condition_is_reported_with_the_defeated_rule_and_its_defeater(tmp_path: Path) -> None:
    """The removed condition occurs in no other rule, so no repair exists."""
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


def test_an_amendment_is_listed_before_the_amended_procedure(tmp_path: Path) -> None:
    """The first cause is the rule of the upper layer that withdraws the step."""
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
    """List the mutants of the tutorial's game, without figures and traits, which fail at the line of their counter."""
    rules = open_packages(()).compiled("low_tide").graph
    assert rules is not None
    yield from (each for each in mutants_of(rules) if each.kind not in (FIGURE, TRAIT))


def blamed(rules: graph.Graph, found: list[FailureCause]) -> set[str]:
    """Return the labels of the rules, procedures and charts that the causes name."""
    tables = {row: name for name, table in rules.tables.items() for row in table.rows}
    repairs = (each.procedure or each.name for cause in found for each in cause.repairs)
    suspects = (name for cause in found for _, name in cause.suspects)
    named = (name if isinstance(name, str) else tables[name] for name in suspects)  # type: ignore[index]
    return {*repairs, *named, *(label for cause in found for label in cause.inactive_rules)}


@sampled(0)
@pytest.mark.parametrize("every", [SOME, pytest.param(ALL, marks=LONG)])
def test_most_mutants_are_located(every: int) -> None:
    """For OF_TEN of ten detected mutants the altered place is among the causes, with at most three others."""
    right, all_of_them = 0, 0
    for mutant in [*planted()][::every]:
        altered = replace(next(mutant.variants()))
        runs = [*run_examples(altered)]
        if any(run.failures for run in runs):
            named = blamed(altered, failure_causes(altered, runs, budget=None))
            all_of_them += 1
            right += (mutant.procedure or mutant.name.partition("[")[0]) in named and len(named) <= 4
    assert all_of_them
    assert right * 10 >= all_of_them * OF_TEN, (right, all_of_them)


LATER = """
track unit.fired: yes_no = no
resolution fire(u: unit) [T.1] "Fire." { set u.fired to yes }
account {
  before u
  tells "{u where} fires"
}
resolution load(u: unit) [T.2] "Load." { mark u as loaded }
example "fire and load" {
  row A
  piece U: unit of red at A
  do fire(U)
  tells "U in A fires twice."
  do load(U)
  ask U is loaded
}
example "fire" {
  row A
  piece U: unit of red at A
  do fire(U)
  tells "A unit in A fires."
}
"""


def test_what_is_begun_after_the_failing_line_is_not_blamed(tmp_path: Path) -> None:
    labels = [cause.party.label for cause in failed_with(tmp_path, LATER).causes]
    assert "resolution fire" in labels
    assert "resolution load" not in labels


DURATIONS = """
status unit: tired{tired}
track unit.far: 0..9 = 0{far}
track unit.near: 0..9 = 0 until end of turn
status unit: slow until end of own_turn
resolution go(u: unit) [T.1] "Go." {{ set u.far to 3 mark u as tired set u.near to 1 mark u as slow }}
rule rests [T.2] "The tired rest." may_enter forbidden when u is tired or u.far > 5 or u is slow or u.near > 5
example "a turn ends" {{
  row A, B
  piece U: unit of red at A (speed 3 MP)
  set game.player to red
  do go(U)
  end of own_turn
  ask may_enter(U, B) = allowed
  ask U.far = 3
  end of turn
  ask U.far = 0
}}
example "a turn goes on" {{
  row A, B
  piece U: unit of red at A (speed 3 MP, tired)
  ask may_enter(U, B) = forbidden by rests
}}
"""


@pytest.mark.parametrize(
    ("tired", "far", "located"),
    [
        (" until end of turn", " until end of turn", ("unit.tired", "`until end of own_turn` for `until end of turn`")),
        (" until end of own_turn", " until end of own_turn", ("unit.far", "`until end of turn` for ")),
        (" until end of own_turn", "", ("unit.far", "with `until end of turn`")),
    ],
)
def test_a_repair_may_be_another_moment_at_which_a_note_ends(
    tmp_path: Path, tired: str, far: str, located: tuple[str, str]
) -> None:
    """A status or a track lasts until the wrong moment, or until none."""
    [cause, *_] = failed_with(tmp_path, DURATIONS.format(tired=tired, far=far)).causes
    assert (cause.kind, cause.party.label) == ("repair", located[0])
    assert located[1] in cause.change


def test_the_sequence_of_play_is_suspected_once(tmp_path: Path) -> None:
    """It is both entered and followed by an `order` line."""
    more = """
track scenario.turns: 1..9 = 1
resolution wait() [T.1] "Nothing." { }
sequence toy { each turn in 1..scenario.turns { do wait() } }
example "two turns" { row A order do take, stop }
"""
    causes = failed_with(tmp_path, more).causes
    assert len(causes) == len({cause.party.label for cause in causes}) > 0
