"""The start of the forces of a card: relations, places of placed pieces, departures and returns."""

from pathlib import Path

import pytest

from compiler.analysis.findings.never_read import NeverSet
from compiler.report.render.line import diagnostic_line
from rulewright.checks.proofs import problems_of_rules
from rulewright.checks.testing import run_tests
from rulewright.explain.views.victory_conditions import victory_text
from rulewright.games.scenarios import load_card
from rulewright.lab.contrast.card_differences import card_differences
from rulewright.library.stacks import load_stack, open_packages
from runtime.answer.generate import GeneratedEvaluator
from runtime.mutation.card_mutants import card_mutants
from runtime.play.game import Game
from runtime.play.labels import option_labels
from runtime.play.options import Decision
from runtime.state.setup import from_card
from tests.situations.pier import CARD, FAR, package

RIDES = "relation rides(mount: bead, riders: bead) one mount\nkind hut\nplace inside of hut\n"
SECOND = "{bob: 1, tom: 1}, sets_up: {region: jetty}"


def begins(folder: Path, more: str, rules: str = RIDES) -> Path:
    """Write the package with additional declarations for the second force of the card."""
    text = CARD.replace(SECOND, "{bob: 1, tom: 3}, sets_up: {region: jetty}, " + more)
    return package(folder, card_yaml=text, pier__more_rules=rules)


@pytest.fixture(autouse=True)
def _only_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the shipped rules by the test's folder: each shipped card takes a moment to load."""
    monkeypatch.setattr("rulewright.library.shipped_folders.rules_folder", lambda: tmp_path)


@pytest.mark.parametrize(
    ("pairs", "related"),
    [
        ("[{mount: bob, riders: tom}]", {("bob-2.1", "tom-2.1")}),
        ("[{mount: bob, riders: [tom, tom]}]", {("bob-2.1", "tom-2.1"), ("bob-2.1", "tom-2.2")}),
        ("[{mount: tom, riders: tom}]", {("tom-2.1", "tom-2.2")}),
        (
            "[{mount: tom-2.3, riders: tom}, {mount: bob, riders: tom}]",
            {("tom-2.3", "tom-2.1"), ("bob-2.1", "tom-2.2")},
        ),
    ],
)
def test_pieces_are_related_at_the_start(tmp_path: Path, pairs: str, related: set[tuple[str, str]]) -> None:
    rules = load_card("outing", None, [begins(tmp_path, f"relations: {{rides: {pairs}}}")]).graph
    assert rules is not None
    state = from_card(rules, complete=False)
    names = [sheet.name for sheet in state.sheets]
    assert {(names[left], names[right]) for left, right in state.pairs["rides"].payload} == related


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("relations: {rides: [{mount: bob, riders: tim}]}", "there is no piece of this force `tim`"),
        ("relations: {rides: [{mount: bob, riders: bob}]}", "the only `bob` of this force is already in a pair"),
        (
            "relations: {rides: [{mount: [tom, tom], riders: [tom, bob]}]}",
            "this line of `rides` has several pieces at both ends",
        ),
        ("relations: {rides: [{mount: bob}]}", "riders"),
        ("relations: {rides: [{mount: bob, rider: tom}]}", "rider"),
        ("relations: {ride: [{mount: bob, riders: tom}]}", "there is no relation `ride`"),
        ("placed: [{unit: tom, at: N-A1, in: hole}]", "there is no place `hole`"),
        ("placed: [{unit: tom, name: T, at: N-A1}, {unit: tom, name: T, at: N-A2}]", "two pieces of this situation"),
    ],
)
def test_errors_of_a_force_have_a_place_on_the_card(tmp_path: Path, more: str, message: str) -> None:
    found = load_card("outing", None, [begins(tmp_path, more)])
    assert any(message in str(each) and "card.yaml:" in diagnostic_line(each) for each in found.diagnostics), [
        diagnostic_line(each) for each in found.diagnostics
    ]


def test_a_card_cannot_relate_by_a_relation_with_a_payload(tmp_path: Path) -> None:
    rules = RIDES + "relation owes(debtor: bead, lender: bead) keeps coins: 0..9\n"
    found = load_card("outing", None, [begins(tmp_path, "relations: {owes: [{debtor: bob, lender: tom}]}", rules)])
    message = "a situation cannot have pairs of `owes`, which keeps a `coins`"
    assert any(message in diagnostic_line(each) for each in found.diagnostics)


def test_placed_pieces_have_their_names_and_places(tmp_path: Path) -> None:
    placed = "placed: [{unit: tom, name: anna, at: N-A2, in: inside}, {unit: tom, at: N-A3}, {unit: bob, at: N-A1}]"
    rules = load_card("outing", None, [begins(tmp_path, placed)]).graph
    assert rules is not None
    state = from_card(rules, complete=False)
    stand = {
        sheet.name: (state.board.names[state.hex[piece]], state.place[piece])
        for piece, sheet in enumerate(state.sheets)
        if state.hex[piece] >= 0
    }
    assert stand == {"anna": ("N-A2", "inside"), "tom-2.2": ("N-A3", "open"), "bob-2.1": ("N-A1", "open")}
    assert sum(sheet.counter == "tom" and sheet.side == "red" for sheet in state.sheets) == 3


NOTES = "status bead: wet until end of game\ntrack bead.bearing: 1..6 = 1\ntrack bead.seen: set of hex = {}\n"
DRENCHED = "placed: [{unit: tom, at: N-A2, wet: yes, bearing: 5, seen: [N-A1, N-A3]}, {unit: tom, at: N-A3}]"


def test_placed_pieces_begin_with_statuses_and_notes(tmp_path: Path) -> None:
    rules = load_card("outing", None, [begins(tmp_path, DRENCHED, NOTES)]).graph
    assert rules is not None
    assert rules.scenario is not None
    state = from_card(rules, complete=False)
    first, second = (piece for piece, sheet in enumerate(state.sheets) if state.hex[piece] >= 0)
    hexes = {state.board.names[h] for h in state.track("bead.seen", first)}
    assert (state.is_marked("bead.wet", first), state.track("bead.bearing", first), hexes) == (
        True,
        5,
        {"N-A1", "N-A3"},
    )
    assert (state.is_marked("bead.wet", second), state.track("bead.bearing", second)) == (False, 1)
    names = [mutant.name for mutant in card_mutants(rules, rules.scenario) if "note of tom" in mutant.name]
    assert len(names) == 3


@pytest.mark.parametrize(
    ("note", "message"),
    [
        ("bearing: 7", "expected a number in 1..6 for `bearing`, found `7`"),
        ("wet: rather", "expected yes or no for `wet`, found `rather`"),
        ("weet: yes", "bead cannot be `weet`"),
        ("arrives: 3", "a situation cannot set `arrives` of a piece"),
    ],
)
def test_slips_in_notes_have_a_place(tmp_path: Path, note: str, message: str) -> None:
    found = load_card("outing", None, [begins(tmp_path, f"placed: [{{unit: tom, at: N-A2, {note}}}]", NOTES)])
    assert any(message in str(each) and "card.yaml:" in diagnostic_line(each) for each in found.diagnostics), [
        diagnostic_line(each) for each in found.diagnostics
    ]


SPACES = """
status hex: held_down until end of game
track hex.owner: side
track hex.crossings: 0..9 = 0
track hex.last_seen: hex
track side.beads: 0..9 = 1
"""
START = (
    "hexes: {jetty: {owner: red, crossings: 2}, N-A2: {held_down: yes, crossings: 3, last_seen: F-D1}}\n"
    "sides: {blue: {beads: 4}}\n"
)


def starting(folder: Path, notes: str, **texts: str) -> Path:
    """Write the package with a card on which hexes and sides start with notes."""
    return package(folder, card_yaml=CARD + notes, pier__more_rules=SPACES, **texts)


def test_hexes_and_sides_begin_with_statuses_and_notes(tmp_path: Path) -> None:
    rules = load_card("outing", None, [starting(tmp_path, START)]).graph
    assert rules is not None
    assert rules.scenario is not None
    state = from_card(rules, complete=False)
    index = state.board.index
    jetty = {"N-A1": 2, "N-A2": 3, "N-A3": 2, "F-D1": 2}
    assert {name: state.track("hex.crossings", index[name]) for name in jetty} == jetty
    assert {name for name in index if state.track("hex.owner", index[name]) == "red"} == jetty.keys()
    assert {name for name in index if state.is_marked("hex.held_down", index[name])} == {"N-A2"}
    assert state.track("hex.last_seen", index["N-A2"]) == index["F-D1"]
    assert (state.track("side.beads", "red"), state.track("side.beads", "blue")) == (1, 4)
    assert sum("note of" in mutant.name for mutant in card_mutants(rules, rules.scenario)) == 12
    assert "at the start, blue beads: 4" in victory_text(rules)


@pytest.mark.parametrize(
    ("notes", "message"),
    [
        ("hexes: {N-A9: {owner: red}}", "there is no hex `N-A9`"),
        ("hexes: {N-A1: {ovner: red}}", "a hex cannot be `ovner`"),
        ("hexes: {jetty: {crossings: 10}}", "expected a number in 0..9 for `crossings`, found `10`"),
        ("sides: {green: {beads: 2}}", "there is no side `green`"),
        ("sides: {blue: {bead: 2}}", "a side has no track `bead`"),
    ],
)
def test_slips_in_notes_of_hexes_and_sides_have_a_place(tmp_path: Path, notes: str, message: str) -> None:
    found = load_card("outing", None, [starting(tmp_path, notes + "\n")])
    lines = [diagnostic_line(each) for each in found.diagnostics]
    assert any(message in line and "card.yaml:" in line for line in lines), lines


CHANGED = """patch: outing
cites: house
spaces:
  expect: {jetty: {owner: red, crossings: 2}, N-A2: {held_down: yes, crossings: 3, last_seen: F-D1}}
  now: {N-A1: {owner: blue}}
sides: {expect: {blue: {beads: EXPECTED}}, now: {blue: {beads: 5}, red: {beads: 0}}}
"""
FIX = "layer: fix\ntitle: A Fix\nkind: rulings\non: [pier]\n"


def test_a_layer_changes_the_notes_at_the_start(tmp_path: Path) -> None:
    texts = {"fix__layer_yaml": FIX, "fix__more_yaml": CHANGED.replace("EXPECTED", "4")}
    folder = starting(tmp_path, START, **texts)
    stack = load_card("outing", "pier+fix", [folder])
    assert stack.graph is not None, [diagnostic_line(each) for each in stack.diagnostics]
    state = from_card(stack.graph, complete=False)
    assert (state.track("side.beads", "red"), state.track("side.beads", "blue")) == (0, 5)
    assert {name for name in state.board.index if state.track("hex.owner", state.board.index[name])} == {"N-A1"}
    assert stack.graph.scenario is not None
    before = [
        part.notes.side_tracks for part in stack.graph.scenario.other_corrections if part.part == "notes of sides"
    ]
    assert [[each[:2] for each in notes] for notes in before] == [[("blue", "beads")]]
    old = load_card("outing", "pier", [folder]).graph
    assert old is not None
    sentences = [sentence for heading, sentence in card_differences(old, stack.graph) if heading == "notes"]
    assert "blue beads: 5 instead of 4" in sentences
    assert "N-A1 owner: blue instead of red" in sentences


def test_a_change_of_notes_expects_those_of_the_card(tmp_path: Path) -> None:
    texts = {"fix__layer_yaml": FIX, "fix__more_yaml": CHANGED.replace("EXPECTED", "3")}
    found = load_card("outing", "pier+fix", [starting(tmp_path, START, **texts)])
    assert [each.code for each in found.diagnostics] == ["R0311"]


WANDERING = """
track bead.out: 0..9
action wander by player [house] "Leave, if one likes." {
  choose b from {b in all bead where b.side = player}
  offer go(b) until yes
  tell gone_out(b)
}
action go(b: bead) by player [house] "Go." {
  legal b is not off
  set b.out to game.turn
  move b off
}
action back by player [house] "Come back." {
  choose b from {b in reserve(bead) where b.side = player and b has out}
  choose h from b.area
  move b to h
}
event gone_out(b: bead)
example "off and on" under pier {
  row A
  piece B: bob of red at A (area {A})
  piece C: bob of red (area {A})
  ask B is not off
  act go(b: B)
  ask B is off
  ask B is not gone
  ask count(all bead) = 0
  ask reserve(bead) = {B, C}
  act go(b: B) refused
  act back(b: C, h: A) refused
  act back(b: B, h: A)
  ask B.hex = A
  ask reserve(bead) = {C}
}
"""


def test_the_example_of_a_piece_that_leaves_and_returns_passes(tmp_path: Path) -> None:
    package_set = open_packages([package(tmp_path, pier__more_rules=WANDERING)])
    (group,) = run_tests(package_set, "pier").groups
    assert [run.failures for run in group.runs] == [()]


def test_a_piece_off_the_map_has_no_options_until_it_returns(tmp_path: Path) -> None:
    forces = (
        "forces:\n  - {side: red, placed: [{unit: tom, at: N-A1}]}\n  - {side: blue, placed: [{unit: tom, at: N-C3}]}\n"
    )
    text = CARD[: CARD.index("forces:")] + forces + CARD[CARD.index("victory:") :]
    package(tmp_path, card_yaml=text, far_yaml=FAR, pier__more_rules=WANDERING)
    rules_file = tmp_path / "pier" / "pier.rules"
    rules_file.write_text(rules_file.read_text().replace('"Idle" {}', '"Idle" { offer wander, back until yes }'))
    rules = load_card("outing", None, [tmp_path]).graph
    assert rules is not None
    game = Game(rules, GeneratedEvaluator(rules))
    playthrough = game.start("x")
    offered = []
    for wish in ("wander", "go", "wander"):
        now = game.advance(playthrough)
        assert isinstance(now, Decision)
        option_texts = option_labels(playthrough.state, game.programs.entries, now)
        offered.append((now.side, *option_texts))
        game.apply(playthrough, now, next(at for at, each in enumerate(option_texts) if each.startswith(wish)))
    assert offered[1:] == [("red", "go(tom-1.1)", "end"), ("blue", "wander", "end")]


def test_a_status_that_only_a_card_sets_is_no_finding(tmp_path: Path) -> None:
    rules = (
        "status hex: held_down until end of game\nstatus bead: held_down until end of game\n"
        'condition held(h: hex) default no reads "{h} is held" denied "{h} is not held"\n'
        'rule held-hexes [house] "Held." held holds when h is held_down\n'
        'condition caught(b: bead) default no reads "{b} is caught" denied "{b} is free"\n'
        'rule caught-beads [house] "Caught." caught holds when b is held_down\n'
    )
    folder = package(tmp_path, card_yaml=CARD + "hexes: {N-A2: {held_down: yes}}\n", pier__more_rules=rules)
    problems = problems_of_rules(load_stack("pier", [folder]))
    unset = [each.name for each in problems if isinstance(each, NeverSet) and each.kind == "status"]
    assert unset == ["bead.held_down"]


NOTED = (
    f"{RIDES}status hex: held_down until end of game\nstatus bead: drowsy until end of game\n"
    "track side.apples: 0..9 = 0\n"
    'condition held(h: hex, b: bead) default no reads "{h} is held by {b}" denied "{h} is not held by {b}"\n'
    'rule held-hexes [house] "Held." held holds\n'
    "  when h is held_down and b is drowsy and b.side.apples > 2 and b has mount\n"
)  # fmt: skip


@pytest.mark.parametrize(
    ("part", "names"),
    [
        ("hexes: {now: {N-A2: {held_down: yes}}}", {"hex.held_down"}),
        ("sides: {now: {red: {apples: 3}}}", {"side.apples"}),
        ("forces:\n  - {side: blue, relations: {now: {rides: [{mount: bob, riders: tom}]}}}", {"rides"}),
        ("forces:\n  - {side: blue, placed: {now: [{unit: tom, at: N-A1, drowsy: yes}]}}", {"bead.drowsy"}),
        (
            "special:\n  - {named: after end of turn, now: 'after end of turn [house] { for each b in all bead { "
            "mark b as drowsy relate rides(b, b) } }'}",
            {"bead.drowsy", "rides"},
        ),
    ],
)
def test_what_the_patch_of_a_card_sets_is_no_finding(part: str, names: set[str], tmp_path: Path) -> None:
    manifest = "layer: mend\ntitle: A Layer\nkind: rulings\non: [pier]\n"
    patch = f"patch: outing\ncites: house\n{part}\n"
    package(tmp_path, pier__more_rules=NOTED, mend__layer_yaml=manifest, mend__outing_yaml=patch)
    unset = {
        stack: {each.name for each in problems_of_rules(load_stack(stack, [tmp_path])) if isinstance(each, NeverSet)}
        for stack in ("pier", "pier+mend")
    }
    assert unset["pier"] - unset["pier+mend"] == names
