"""A layer can patch any part of a card; where the card differs from the expected value, an error is reported."""

import re
from pathlib import Path

import pytest

from rulewright.checks.mutation.mutant_trials import MutationLimits
from rulewright.checks.mutation.protect import run_own_mutants
from rulewright.checks.testing import run_tests
from rulewright.lab.contrast.card_differences import card_differences
from rulewright.library.stacks import PackageSet, open_packages
from rulewright.serve.cli.app import run
from tests.sample import sampled
from tests.situations.pier import CARD, card, package

PARTS = """patch: outing
cites: house
turns: {expect: 2, now: 3}
order: {expect: [red, blue], now: [blue, red]}
facts:
  - {fact: count, expect: 3, now: 4}
  - {fact: shore, expect: {board: far, rows: 1}, now: {board: near, rows: 1}}
regions:
  - {region: jetty, expect: [N-A1..N-A3, F-D1], now: [N-A1]}
  - {region: pool, now: [N-B1, N-B2]}
forces:
  - {side: red, group: First, sets_up: {expect: {board: near}, now: {region: pool}}}
  - {side: blue, enters: {expect: {edge: east, turn: 2}, now: {edge: east, turn: 3}}}
  - {side: blue, unit: tom, expect: 2, now: 1}
victory:
  - {side: red, level: won, expect: "JETTY = 1", now: "count(b in all bead where b.hex in scenario.pool) = 2"}
""".replace("JETTY", "count(b in all bead where b.hex in scenario.jetty)")
LAYER = "layer: %s\ntitle: A Layer\nkind: rulings\non: [%s]\n"
LATER = "enters: {expect: {edge: east, turn: 2}, now: {edge: east, turn: 3}}"
COUNT = "count(b in all bead where b.hex in scenario.%s) = %d"


def patched(folder: Path, patch: str = PARTS) -> Path:
    """Write the package, and a layer that patches its card."""
    return package(folder, mend__layer_yaml=LAYER % ("mend", "pier"), mend__outing_yaml=patch)


@pytest.fixture(autouse=True)
def _only_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Replace the shipped rules by the test's folder: each shipped card takes a moment to load."""
    if "tmp_path" in request.fixturenames and "shipped" not in request.node.name:
        monkeypatch.setattr("rulewright.library.shipped_folders.rules_folder", lambda: tmp_path)


def test_numbers_sides_facts_regions_and_areas_can_be_patched(tmp_path: Path) -> None:
    patched(tmp_path)
    before, after = card(tmp_path).graph, card(tmp_path, "pier+mend").graph
    assert before is not None
    assert after is not None
    assert list(card_differences(before, after)) == [
        ("turns", "3 turns instead of 2 turns"),
        ("order", "blue and red instead of red and blue"),
        ("special", "count: 4 instead of 3"),
        ("special", "shore: N-A1, N-A2 and N-A3 as well and not F-E1, F-E2 and F-E3 any more"),
        ("special", "jetty: not F-D1, N-A2 and N-A3 any more"),
        ("special", "pool: N-B1 and N-B2 as well"),
        ("forces", "red, First: in not N-A1, N-A2, N-A3 and 12 more any more"),
        ("forces", "red, Second: in not F-D1, N-A2 and N-A3 any more"),
        ("forces", "blue: 1 tom instead of 2"),
        ("forces", "blue, entry: turn 3 instead of turn 2"),
        ("victory", f"red won: when {COUNT % ('pool', 2)} instead of when {COUNT % ('jetty', 1)}"),
    ]


@pytest.mark.parametrize(
    ("old", "new", "code", "message"),
    [
        ("turns: {expect: 2", "turns: {expect: 4", "R0311", "`outing: turns` is `2`, not `4` as this"),
        ("{expect: [red, blue]", "{expect: [blue, red]", "R0311", "`outing: order` is `[red, blue]`, not"),
        ("fact: count, expect: 3", "fact: count, expect: 5", "R0311", "`outing: fact count` is `3`, not `5`"),
        ("fact: count, expect: 3, ", "fact: count, ", "R0311", "`outing: fact count` is `3`, not `nothing`"),
        ("fact: count", "fact: cuont", "R0311", "`outing: fact cuont` is `nothing`, not `3`"),
        ("jetty, expect: [N-A1..N-A3, F-D1]", "jetty, expect: [N-A1]", "R0311", "`outing: region jetty`"),
        ("{expect: {board: near}", "{expect: {board: far}", "R0311", "`outing: set-up of red, First`"),
        ("group: First, sets_up", "sets_up", "R0313", "there is no group"),
        ("{edge: east, turn: 2}, now", "{edge: west, turn: 2}, now", "R0311", "`outing: entry of blue`"),
        ("jetty) = 1", "jetty) = 2", "R0311", f"`outing: victory of red, won` is `{COUNT % ('jetty', 1)}`, not"),
        ("count, expect: 3, now: 4", "count, expect: 3, now: 3", "R0325", "`outing: fact count` is already `3`"),
        ("facts:\n", "facts:\n  - {fact: count, expect: 3, now: 5}\n", "R0314", "count` is changed twice"),
        ("turns: {expect: 2, now: 3}\n", "", "R0411", "this force enters in turn 3, but the last turn is 2"),
        ("tom, expect: 2, now: 1", "tom, expect: 2", "R0606", "lacks `now`"),
        ("unit: tom, expect: 2, now: 1", "now: 1", "R0606", "lacks `unit`"),
        ("level: won", "levl: won", "R0605", "`levl`"),
        ("turns: {expect: 2, now: 3}", "turns: {expect: 2}", "R0606", "lacks `now`"),
        ("{expect: {board: near}, now: {region: pool}}", "{}", "R0607", "expected `expect`, `now`, or both"),
        (LATER, "sets_up: {now: {board: near}}", "R0411", "this force both sets up before the game and enters later"),
        ("region: pool, now: [N-B1, N-B2]", "region: pool, now: [N-Z9]", "R0201", "there is no hex `N-Z9`"),
    ],
)  # fmt: skip
def test_a_faulty_patch_is_reported_at_its_file(tmp_path: Path, old: str, new: str, code: str, message: str) -> None:
    assert old in PARTS
    patched(tmp_path, PARTS.replace(old, new))
    found = card(tmp_path, "pier+mend").diagnostics
    messages = [each for each in found if each.code == code and message in each.message]
    assert messages, found
    assert messages[0].spans[0].span.file.endswith("mend/outing.yaml")


RICH = """map: [[near, {board: far, turned: yes}]]
special: |
  rule bobs-are-shy [house] "Nobody meets a bob." may_meet forbidden when b is bob
  rule toms-are-shy [house] "Nobody meets a tom." may_meet forbidden when b is tom
"""
MEETING = """
trait bead: bob, tom
relation rides(mount: bead, rider: bead) one mount
verdict may_meet(b: bead) default allowed reads "{b} may be met" denied "{b} may not be met"
"""
REST = """patch: outing
cites: house
title: {expect: The Outing, now: The Long Outing}
map: {expect: [[near, far turned]], now: [[near, far]]}
gaps: {expect: [Who came first is not known; red did.]}
special:
  - {named: bobs-are-shy, expect: "BOB"}
  - named: toms-are-shy
    expect: "TOM"
    now: rule toms-are-shy [house] "Nobody meets two." may_meet forbidden when b is tom
  - {named: all-are-shy, now: 'rule all-are-shy [house] "Nobody meets anybody." may_meet forbidden'}
forces:
  - {side: blue, placed: {now: [{unit: tom, at: N-A1}]}}
  - {side: red, group: Second, relations: {now: {rides: [{mount: tom, rider: bob}]}}}
"""


def rich(folder: Path, patch: str) -> Path:
    """Write a card with rules of its own, and a layer that patches the remaining parts."""
    text = CARD.replace("map: [[near, {board: far, turned: yes}]]\n", RICH)
    texts = {"mend__layer_yaml": LAYER % ("mend", "pier"), "mend__outing_yaml": patch, "pier__more_rules": MEETING}
    return package(folder, card_yaml=text, **texts)


def printed(folder: Path) -> str:
    """Return the patch with the hashes that the errors of the patch without them report."""
    rich(folder, REST)
    messages = [each.message for each in card(folder, "pier+mend").diagnostics if each.code == "R0311"]
    prints = [re.findall(r"is `([0-9a-f]{8})`, not `(BOB|TOM)`", message) for message in messages]
    text = REST
    for ((found, name),) in prints:
        text = text.replace(name, found)
    return text


def test_title_map_gaps_special_rules_and_placed_pieces_can_be_patched(tmp_path: Path) -> None:
    rich(tmp_path, printed(tmp_path))
    stack = card(tmp_path, "pier+mend")
    before, after = card(tmp_path).graph, stack.graph
    assert before is not None
    assert after is not None, stack.diagnostics
    says = dict.fromkeys(each for each, _ in card_differences(before, after))
    assert list(says) == ["title", "map", "special", "gaps", "rules", "forces"]
    reports = [difference_text for _, difference_text in card_differences(before, after)]
    assert "The Long Outing instead of The Outing" in reports
    assert "not Who came first is not known; red did. any more" in reports
    assert "all-are-shy as well and not bobs-are-shy any more" in reports
    assert "written otherwise: toms-are-shy" in reports
    assert "blue: placed: tom in N-A1 as well" in reports
    assert any(difference_text.startswith("red, Second: beginning with rides") for difference_text in reports)


@pytest.mark.parametrize(
    ("old", "new", "code", "message"),
    [
        ("expect: The Outing", "expect: An Outing", "R0311", "`outing: title` is `The Outing`, not `An Outing`"),
        ("[[near, far turned]]", "[[near, far]]", "R0311", "`outing: map` is `[[near, far turned]]`, not `[[near, far"),
        ("expect: [Who", "expect: [Why", "R0311", "`outing: gaps` is `[Who came first is not known; red did.]`"),
        ("named: all-are", "named: toms-are", "R0314", "`outing: special rule toms-are-shy` is changed twice"),
        ("named: bobs", "named: bops", "R0311", "`outing: special rule bops-are-shy` is `nothing`"),
        ("now: [{unit: tom", "expect: [{unit: tom", "R0311", "placed pieces of blue` is `nothing`, not `[{unit: tom"),
        ("{now: {rides", "{expect: {rides", "R0311", "`outing: relations of red, Second` is `nothing`"),
        ("mount: tom", "mount: tim", "R0201", "`tim`"),
        ("at: N-A1", "at: N-Z1", "R0201", "there is no hex `N-Z1`"),
        ("may_meet forbidden'}\nf", "may_met forbidden'}\nf", "R0201", "`may_met`"),
    ],
)  # fmt: skip
def test_a_faulty_patch_of_the_remaining_parts_is_reported_at_its_file(
    tmp_path: Path, old: str, new: str, code: str, message: str
) -> None:
    text = printed(tmp_path)
    assert old in text
    rich(tmp_path, text.replace(old, new))
    found = card(tmp_path, "pier+mend").diagnostics
    messages = [each for each in found if each.code == code and message in each.message]
    assert messages, found
    assert messages[0].spans[0].span.file.endswith("mend/outing.yaml")


@sampled(0)
def test_check_includes_the_cards_that_a_layer_patches(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    patched(tmp_path)
    assert run(["check", "mend", "--path", str(tmp_path)]) == 0
    patched(tmp_path, PARTS.replace("now: [N-B1, N-B2]", "now: [N-Z9]"))
    capsys.readouterr()
    assert run(["check", "mend", "--path", str(tmp_path)]) == 1
    output = capsys.readouterr().out
    assert "there is no hex `N-Z9`" in output
    assert "this area contains no hex" not in output  # The region is empty because of that error.
    # Findings about the game itself are not attributed to the patch.
    assert "no map has the feature `moor`" in output
    assert "caused by something" not in output
    assert "the same happens without `mend`" in output


def test_a_patch_can_remove_facts_victory_conditions_and_areas(tmp_path: Path) -> None:
    enters = "enters: {now: {edge: north, turn: 2}}"
    patched(
        tmp_path,
        "patch: outing\ncites: house\nfacts: [{fact: count, expect: 3}]\n"
        f'victory: [{{side: red, level: won, expect: "{COUNT % ("jetty", 1)}"}}]\n'
        f"forces: [{{side: red, group: First, sets_up: {{expect: {{board: near}}}}, {enters}}}]\n",
    )
    rules = card(tmp_path, "pier+mend").graph
    assert rules is not None
    assert rules.scenario is not None
    assert "scenario.count" not in dict(rules.scenario.facts)
    assert "victory-red-won" not in rules.rules
    assert rules.scenario.forces[0].turn == 2


def test_the_set_up_follows_the_order_of_a_card_that_has_no_other(tmp_path: Path) -> None:
    patched(tmp_path, "patch: outing\ncites: house\norder: {expect: [red, blue], now: [blue, red]}\n")
    text = (tmp_path / "card.yaml").read_text()
    (tmp_path / "card.yaml").write_text(text.replace("set_up: [blue, red]\n", ""))
    rules = card(tmp_path, "pier+mend").graph
    assert rules is not None
    assert rules.scenario is not None
    assert rules.scenario.order == rules.scenario.set_up == ("blue", "red")


def test_patches_of_two_layers_clash_unless_one_layer_is_on_the_other(tmp_path: Path) -> None:
    turns = "patch: outing\ncites: house\nturns: {expect: %d, now: %d}\n"
    patched(tmp_path, turns % (2, 3))
    for name, below, was in (("beside", "pier", 2), ("above", "mend", 3)):
        package(tmp_path, **{f"{name}__layer_yaml": LAYER % (name, below), f"{name}__outing_yaml": turns % (was, 5)})
    assert [each.code for each in card(tmp_path, "pier+mend+beside").diagnostics] == ["R0314"]
    rules = card(tmp_path, "above").graph
    assert rules is not None
    assert rules.scenario is not None
    assert rules.scenario.turns == 5


def test_examples_protect_patched_parts(tmp_path: Path) -> None:
    patched(tmp_path)
    seen = 'example "as changed" on outing {\n  ask scenario.turns = 3\n  ask scenario.count = 4\n}\n'
    package_set = open_packages([package(tmp_path, mend__more_rules=seen)])
    assert run_tests(package_set, "mend").cases == (1, 0)
    assert units(package_set) == (
        {"outing: turns", "outing: fact count"},
        {"outing: order", "outing: fact shore", "outing: region jetty", "outing: region pool",
         "outing: set-up of red, First", "outing: entry of blue"},
    )  # fmt: skip


def units(package_set: PackageSet) -> tuple[set[str], set[str]]:
    """Return the patched parts that examples protect, and those that survive."""
    found = run_own_mutants(package_set, "mend", (), MutationLimits())
    left = [each.mutant for each in found.survivors]
    partial_units, left_over = (
        {each.name for each in part if each.kind == "changed part"} for part in (found.protected, left)
    )
    return partial_units, left_over


def test_a_shipped_card_without_its_boards_can_be_patched(tmp_path: Path) -> None:
    (tmp_path / "layer.yaml").write_text(LAYER % ("longer", "panzerblitz_cards"))
    text = "patch: pb_situation_09\ncites: house\nturns: {expect: %d, now: 99}\n"
    text += "facts: [{fact: ways_out, expect: {edge: west}, now: {edge: east}}]\n"
    printed = open_packages().library.scenarios["pb_situation_09"]
    (tmp_path / "longer.yaml").write_text(text % printed.turns)
    package_set = open_packages([tmp_path])
    rules = package_set.compiled("longer", printed).graph
    assert rules is not None
    assert rules.scenario is not None
    assert rules.scenario.waits_for
    assert rules.scenario.turns == 99
    before = package_set.compiled(printed.uses.text, printed).graph
    assert before is not None
    assert [about for about, _ in card_differences(before, rules)] == ["turns", "special"]
