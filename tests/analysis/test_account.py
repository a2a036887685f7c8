"""Every change between two stacks has a report, and its status is `same` only where that is proved."""

from dataclasses import replace
from pathlib import Path

import pytest

from rulewright.lab.contrast.differences import as_data, with_proofs
from runtime.graph import nodes as graph
from runtime.witness import comparison
from runtime.witness.behavioral_diff import behavioral_diff
from runtime.witness.change_report import CUT, ChangeReport, Evidence
from runtime.witness.change_report import change_reports as accounts_of
from runtime.witness.structural_difference import NodeChange
from tests.analysis.edited import difference_text
from tests.analysis.planted import compiled
from tests.sample import sampled

BASE = """
measure MP "point"
side north, south
enum build: light, heavy
kind cart has speed: 0..12 MP, build: build
trait cart: wheeled, tall
feature hex: bog, knoll
status cart: dizzy, lame until end of game
track cart.load: 0..9 = 2
track game.dust: 0..9 = 0
value price(mover: cart, to: hex): 0..12 MP
verdict may_enter(mover: cart, to: hex) default allowed
condition is_slow(mover: cart) default no
define reach(mover: cart): 0..30 MP = if mover is tall and mover is lame then 4 MP else mover.speed
define lowest(far: 0..9): 0..9 = min(w.load for w in all cart where w is tall otherwise far)
condition blocks(c: crossing) default no
verdict can_see(watcher: cart, h: hex) default allowed
rule in-the-way "Some things are in the way." can_see forbidden when some(c in line(watcher.hex, h) where blocks(c))
define heap(u: cart): 0..9 = min(7, u.load + 1)
rule open-ground "Open ground costs one." price is 1 MP
rule bogs "Bogs cost three." price is 3 MP exception to open-ground when to is bog and mover is not tall
rule pay "One pays." may_enter forbidden when price(mover, to) > mover.speed
rule laden "The laden are slow." is_slow holds when mover.load > 5
value strength(odds: build, die: 1..3): 0..99
rule table-strength "The table has it." strength is strengths[odds, die]
rule never "Nobody is both." may_enter forbidden when mover.load > 7 and mover.load < 3
"""
TABLE = """
table: strengths
cites: house
keys: {odds: build, die: 1..3}
cell: 0..99
columns: [1, 2, 3]
grid:
  light: [1, 2, 3]
  heavy: [2, 3, 4]
"""
LOAD = "is_slow holds when mover.load > 5"
HIGH = 'rule high "Knolls block." blocks holds when c.over is knoll'
FREE = 'rule free "Enter as you like." may_enter allowed'
SILENT = 'rule silent "Nobody pays then." exception to open-ground, bogs when game.turn >= 3'
# By name: the old text, the new text, the label of the changed node, and the status of its report.
EDITS = {
    "a number": ("price is 3 MP", "price is 4 MP", "bogs", "witness"),
    "a condition": ("is not tall", "is not wheeled", "bogs", "witness"),
    "one branch": ("then 4 MP", "then 5 MP", "reach", "witness"),
    "a verdict turned round": ("hex) default allowed", "hex) default forbidden", "default of may_enter", "witness"),
    "a condition turned round": ("default no", "default yes", "default of is_slow", "witness"),
    "a rule dropped": ('rule open-ground "Open ground costs one." price is 1 MP', "", "open-ground", "witness"),
    "an exception that leaves no answer": (LOAD, f"{LOAD} {SILENT}", "silent", "witness"),
    "its prose": ('"One pays."', '"Everybody pays."', "pay", "same"),
    "a note that nobody reads": ("game.dust: 0..9 = 0", "game.dust: 0..9 = 1", "track game.dust", "same"),
    "a status that nobody reads": ("dizzy, lame", "dizzy until end of turn, lame", "status cart.dizzy", "same"),
    "a permission of what is allowed": (LOAD, f"{LOAD} {FREE}", "free", "same"),
    "a permission that overrules": (LOAD, f"{LOAD} {FREE} exception to pay", "free", "witness"),
    "what nobody can be asked about": (LOAD, f"{LOAD} {HIGH}", "high", "witness"),
    "another of the members": ("min(w.load", "max(w.load", "lowest", "witness"),
    "the end of a range": ("min(7,", "min(6,", "heap", "witness"),
    "a rule that never applies": ("mover.load < 3", "mover.load < 2", "never", "unknown"),
}  # fmt: skip


def graphs(old: str, new: str, folder: Path) -> tuple[graph.Graph, graph.Graph]:
    """Compile the game, and the game with a text replaced."""
    assert old in BASE
    texts = (BASE, BASE.replace(old, new))
    if "open-ground" in old:
        texts = (BASE, texts[1].replace("exception to open-ground ", ""))
    created = []
    for number, text in enumerate(texts):
        files = {
            "game/layer.yaml": "layer: game\ntitle: Game\nkind: base\ncites: house\n",
            "game/game.rules": text,
            "game/strengths.yaml": TABLE,
        }
        created.append(compiled(files, folder / str(number), "game"))
    return created[0], created[1]


def report_of(label: str, a: graph.Graph, b: graph.Graph) -> ChangeReport:
    """Return the report of a change."""
    return next(each for each in behavioral_diff(a, b).changes if each.label == label)


@sampled(5)
@pytest.mark.parametrize("case", EDITS)
def test_every_edit_has_a_report_with_its_status(tmp_path: Path, case: str) -> None:
    old, new, label, status = EDITS[case]
    a, b = graphs(old, new, tmp_path)
    found = report_of(label, a, b)
    assert found.status == status
    assert bool(found.witness) == (status == "witness")
    assert bool(found.reason) == (status != "witness")


@pytest.mark.parametrize(("case", "status"), [("a rule that never applies", "same"), ("a number", "witness")])
def test_a_proof_turns_only_a_rule_that_never_applies_into_the_same(tmp_path: Path, case: str, status: str) -> None:
    old, new, label, _ = EDITS[case]
    a, b = graphs(old, new, tmp_path)
    found = with_proofs(behavioral_diff(a, b), a, b)
    assert next(each.status for each in found.changes if each.label == label) == status


def test_a_rule_that_may_apply_is_not_proved_the_same(tmp_path: Path) -> None:
    a, b = graphs("mover.load < 3", "mover.load < 9", tmp_path)
    found = behavioral_diff(a, b)
    unknown = tuple(replace(each, status="unknown") for each in found.changes)
    proved = with_proofs(replace(found, changes=unknown), a, b)
    assert [each.status for each in proved.changes if each.label == "never"] == ["unknown"]


def test_a_term_without_differences_over_its_whole_domain_is_the_same(tmp_path: Path) -> None:
    a, b = graphs("is strengths[odds, die]", "is strengths[odds, die] + 0", tmp_path)
    assert report_of("table-strength", a, b).status == "same"


def test_a_search_without_positions_left_names_its_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison, "MOST_POSITIONS", 0)
    a, b = graphs("mover.load < 3", "mover.load < 2", tmp_path)
    assert CUT in report_of("never", a, b).reason


@pytest.mark.parametrize(("case", "message"), [
    ("its prose", "No question is answered differently: the change is proved to change no answer."),
    (
        "a rule that never applies",
        "1 rule differs; no question was found that is answered differently;"
        " of 1 change it is not known whether it changes an answer.",
    ),
    ("a number", "1 rule differs; 1 question is answered differently."),
])  # fmt: skip
def test_no_difference_is_stated_only_where_it_is_proved(tmp_path: Path, case: str, message: str) -> None:
    a, b = graphs(*EDITS[case][:2], tmp_path)
    data = as_data(behavioral_diff(a, b), ("one", "other"), (a, b), tmp_path) | {"cards": []}
    text = difference_text(data)
    assert text.splitlines()[0] == message
    assert ("Not known whether" in text) == ("not known whether" in message)


@pytest.mark.parametrize(("runs", "message"), [
    ({}, "it made no difference in 9 plays of the examples of both"),
    ({"action roll": (3, 0)}, "it ran in 3 plays of the examples of both, without a difference"),
    ({"action roll": (0, 1)}, "it ran in no play of the examples of both, and was begun in 1 more position, without"),
    ({"action roll": (0, 0)}, "it ran in no play of the examples of both"),
])  # fmt: skip
def test_a_reason_counts_only_plays_in_which_a_procedure_ran(runs: dict[str, tuple[int, int]], message: str) -> None:
    change = NodeChange("procedure", "roll", "changed", ("body",), ("action roll",))
    nothing = frozenset[str]()
    (found,) = accounts_of([change], Evidence({}, {}, nothing, nothing, nothing, {}, 9, runs=runs))
    assert message in found.reason
