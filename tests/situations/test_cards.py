"""A card without its boards is checked, becomes playable with its boards, and has its forces in the declared areas."""

from pathlib import Path

import pytest

from compiler.report.render.line import diagnostic_line
from rulewright.games.scenarios import game_of, load_scenario
from rulewright.library.example_targets import all_targets
from rulewright.library.package_index import list_packages
from rulewright.library.stacks import Stack, open_packages
from rulewright.serve.cli.app import run
from rulewright.system.errors import UsageError
from runtime.graph import nodes as graph
from tests.sample import sampled
from tests.situations.pier import CARD, FAR, NUMBERS, card, package


def scenario(stack: Stack) -> graph.Scenario:
    """Return the scenario of a stack, which must have no errors."""
    assert stack.graph is not None, [diagnostic_line(each) for each in stack.diagnostics]
    assert stack.graph.scenario is not None
    return stack.graph.scenario


def reports(stack: Stack) -> list[str]:
    """Return the diagnostics, one line each."""
    return [diagnostic_line(each) for each in stack.diagnostics]


@pytest.fixture
def only_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the shipped rules by the test's folder: each shipped card takes a moment to load."""
    monkeypatch.setattr("rulewright.library.shipped_folders.rules_folder", lambda: tmp_path)


@pytest.mark.usefixtures("only_ours")
def test_a_card_without_its_boards_is_at_rest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = scenario(card(package(tmp_path)))
    assert found.waits_for == ("far",)
    assert "F-D1" in found.board.hexes
    with pytest.raises(UsageError, match=r"`outing` waits for its boards \(far\): give a folder .* --path"):
        load_scenario("outing", None, [tmp_path])
    assert {row["name"]: row["waits_for"] for row in list_packages([tmp_path]).card_rows()}["outing"] == ["far"]
    assert "outing" not in {wanted.scenario for wanted in all_targets(open_packages([tmp_path]))}
    assert run(["show", "outing", "--path", str(tmp_path)]) == 0
    output = capsys.readouterr().out
    assert "far, turned by half: not here yet; give a folder that has it with --path" in output
    assert "not settled by the sources: Who came first is not known; red did." in output


def test_a_card_with_its_boards_can_be_played(tmp_path: Path) -> None:
    package(tmp_path, far_yaml=FAR)
    assert scenario(card(tmp_path)).waits_for == ()
    assert "outing" in {wanted.scenario for wanted in all_targets(open_packages([tmp_path]))}
    rules = load_scenario("outing", None, [tmp_path]).graph
    assert rules is not None
    state = game_of(rules).start("x").state
    assert (state.fact("scenario.set_up"), state.fact("scenario.order")) == (("blue", "red"), ("red", "blue"))
    assert {sheet.arrives for sheet in state.sheets} == {0, 2}


@pytest.mark.parametrize(
    ("area", "hexes"),
    [
        ("{board: near, rows: 1}", "N-A1 N-A2 N-A3"),
        # Turned by half a circle: the south of the far board is in the north, and its last column is next to the near
        # board.
        ("{board: far, rows: 1}", "F-E1 F-E2 F-E3"),
        ("{board: far, rows: 2, columns: 1..2}", "N-B4 F-D3"),
        ("{hexes: [F-D4, F-D2..F-D3]}", "F-D2 F-D3 N-B4"),
        ("{board: near, around: N-A2, up_to: brook}", "N-A1 N-A2 N-A3 N-B1 N-B2 N-B3 N-B4"),
        ("{within: 1, of: N-E1}", "N-D1 N-D2 N-E1 N-E2"),
        ("{board: near, within: 1, beyond: 0, of: [N-E1]}", "N-D1 N-D2 N-E2"),
        ("[{hexes: N-A1}, {region: jetty, rows: 1}]", "N-A1 N-A2 N-A3"),
        ("{region: mole}", "F-A1 F-A2"),
        ("{board: far, edge: north}", "F-E1 F-E2 F-E3"),
    ],
)
def test_areas(tmp_path: Path, area: str, hexes: str) -> None:
    found = scenario(card(package(tmp_path, area, far_yaml=FAR)))
    assert " ".join(sorted(found.forces[0].area)) == " ".join(sorted(hexes.split()))


@pytest.mark.parametrize(
    ("edge", "hexes"),
    [
        ("east", "F-A1 F-B1 F-C1 F-D1 F-E1"),
        ("north, board: far", "F-E1 F-E2 F-E3"),
        ("west", "N-A1 N-B1 N-C1 N-D1 N-E1"),
        ("any, board: near", "N-A1 N-A2 N-A3 N-B1 N-B4 N-C1 N-C3 N-D1 N-D4 N-E1 N-E2 N-E3"),
    ],
)
def test_edges(tmp_path: Path, edge: str, hexes: str) -> None:
    found = scenario(card(package(tmp_path, edge=edge, far_yaml=FAR)))
    assert " ".join(sorted(found.forces[2].area)) == hexes
    assert found.forces[2].turn == 2


def test_facts_regions_and_hexes_of_two_boards(tmp_path: Path) -> None:
    stack = card(package(tmp_path, far_yaml=FAR))
    found = scenario(stack)
    facts = dict(found.facts)
    assert facts["scenario.shore"] == graph.SetOf(tuple(graph.Spot("hex", name) for name in ("F-E3", "F-E2", "F-E1")))
    jetty = facts["scenario.jetty"]
    assert isinstance(jetty, graph.SetOf)
    assert len(jetty.elements) == 4
    assert stack.graph is not None
    state = game_of(stack.graph).start("x").state
    shared = [name for name, boards in zip(state.board.names, state.board.boards, strict=False) if len(boards) > 1]
    assert shared == ["N-B4", "N-D4"]
    assert state.board.part[state.board.index["N-B4"]] == "near"


@pytest.mark.parametrize(
    ("area", "message"),
    [
        ("{hexes: N-Z9}", "13:65: error R0201: there is no hex `N-Z9`"),
        ("{region: jety}", "13:66: error R0201: there is no region `jety`"),
        ("{board: nera}", "13:65: error R0201: there is no board of this map `nera`"),
        ("{board: near, rows: 9}", "13:57: error R0411: this area contains no hex"),
        ("{around: N-A1, up_to: brok}", "13:79: error R0203: a hex cannot be `brok`"),
        ("{within: 1}", "13:57: error R0607: expected `within` or `beyond`"),
        ("{bord: near}", "13:58: error R0605: an area has no key `bord`"),
    ],
)
def test_errors_of_areas_have_a_place_without_the_boards(tmp_path: Path, area: str, message: str) -> None:
    found = reports(card(package(tmp_path, area)))
    assert len(found) == 1
    assert message in found[0]


def test_a_misspelled_board_is_one_error(tmp_path: Path) -> None:
    (found,) = reports(card(package(tmp_path, card_yaml=CARD.replace("[[near,", "[[neer,"))))
    assert "there is no board `neer`" in found


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("edge: EDGE", "edge: west, board: far", "15:50: error R0411: the west edge of far is not at the edge"),
        ("turns: 2", "turns: 0", "6:8: error R0607: expected one turn at least, found `0`"),
        ("[red, blue]", "[red, red]", "8:14: error R0607: expected each side once, found `red` twice"),
        ("[blue, red]", "[blue, red, blue]", "7:21: error R0607: expected each side once, found `blue` twice"),
        ("turn: 2}", "turn: 3}", "15:62: error R0607: expected a turn of the game, from 1 to 2, found `3`"),
        ("turn: 2}", "turn: 0}", "15:62: error R0607: expected a turn of the game, from 1 to 2, found `0`"),
        ("set_up: [blue, red]", "set_up: [blue]", "R0411: red has forces to set up, but is missing in `set_up`"),
        ("- {side: red, group: Second", "- {side: blue, group: Second", "R0411: the counter `bob` of red"),
    ],
)
def test_invalid_turns_and_sides_are_errors(tmp_path: Path, old: str, new: str, message: str) -> None:
    (found,) = reports(card(package(tmp_path, card_yaml=CARD.replace(old, new))))
    assert message in found


PATCH = """patch: outing
cites: house
forces:
  - {side: red, group: First, unit: bob, expect: EXPECT, now: 0}
  - {side: red, group: First, unit: tom, expect: 0, now: 4}
  - {side: blue, unit: tom, expect: 2, now: 1}
"""
MEND = {"mend__layer_yaml": "layer: mend\ntitle: Mend\nkind: rulings\non: [pier]\n"}


def test_a_patch_applies_in_stacks_with_its_layer(tmp_path: Path) -> None:
    package(tmp_path, mend__outing_yaml=PATCH.replace("EXPECT", "3"), **MEND)
    before, after = (scenario(card(tmp_path, rules)) for rules in (None, "pier+mend"))
    assert [dict(force.units) for force in before.forces] == [{"bob": 3}, {"bob": 1, "tom": 1}, {"tom": 2}]
    assert [dict(force.units) for force in after.forces] == [{"tom": 4}, {"bob": 1, "tom": 1}, {"tom": 1}]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("EXPECT", "2", "`outing: bob` is `3`, not `2` as this change expects"),
        ("patch: outing", "patch: outings", "there is no situation `outings`"),
        ("group: First, unit: bob", "unit: bob", "there is no group"),
        ("group: First, unit: bob", "group: Frist, unit: bob", "there is no group `Frist`"),
        ("side: blue", "side: green", "there is no side `green`"),
        (
            "side: blue, unit: tom, expect: 2",
            "side: red, group: First, unit: tom, expect: 4",
            "`outing: tom` is changed twice",
        ),
    ],
)
def test_a_patch_with_a_wrong_target_or_expectation_is_an_error(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    package(tmp_path, mend__outing_yaml=PATCH.replace(old, new).replace("EXPECT", "3"), **MEND)
    found = reports(card(tmp_path, "pier+mend"))
    assert any(message in each for each in found), found


@sampled(0)
def test_checking_a_stack_checks_its_cards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    package(tmp_path)
    assert run(["check", "pier", "--lines", "--path", str(tmp_path)]) == 0
    text = (tmp_path / "card.yaml").read_text().replace("{bob: 3}", "{bub: 3}")
    (tmp_path / "card.yaml").write_text(text)
    assert run(["check", "pier", "--lines", "--path", str(tmp_path)]) == 1
    assert "card.yaml:13:39: error R0201: there is no counter `bub`" in capsys.readouterr().out


@pytest.mark.usefixtures("only_ours")
@pytest.mark.parametrize(
    ("old", "new", "is_read", "report"),
    [
        ("{bob: 3}", "{bub: 3}", True, "13:39 there is no counter `bub`"),
        ("map: [[near", "map: [[nearr", True, "5:8 there is no board `nearr`"),
        ("uses: pier", "uses: peer", True, "3:7 there is no layer `peer`"),
        ("order: [red", "order: [rod", True, "8:9 there is no side `rod`"),
        ("turns: 2", "turns: [2", False, "7: this is not valid YAML"),
        ("turns: 2", "turnz: 2", False, "6:1 has no key `turnz`"),
        ("{bob: 3}", "{bob: many}", False, "13:44 expected a whole number"),
    ],
)
def test_a_card_is_listed_as_it_is_written_and_an_unread_one_with_its_first_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, is_read: bool, report: str
) -> None:
    place, _, message = report.partition(" ")
    broken = CARD.replace("outing", "broken", 1).replace(old, new)
    package(tmp_path, broken_yaml=broken)
    assert run(["scenarios", "--path", str(tmp_path)]) == (0 if is_read else 1)
    listed = capsys.readouterr().out
    marks = {line.split()[0]: line.endswith("unread, see below") for line in listed.splitlines()[1:3]}
    assert marks == {"broken": not is_read, "outing": False}
    assert is_read or f"broken.yaml:{place}" in listed
    assert is_read or message in listed
    assert run(["play", "broken", "--path", str(tmp_path)]) == 1
    refusal = capsys.readouterr().out
    assert message in refusal
    assert f"broken.yaml:{place}" in refusal


def checked_cards(folder: Path) -> int:
    """Check the layer of the card; return the exit code."""
    return run(["check", "pier", "--path", str(folder)])


@pytest.mark.usefixtures("only_ours")
def test_an_edit_of_the_board_invalidates_the_check_of_a_card(tmp_path: Path) -> None:
    """The removed hex has no printed feature, so the features that are read stay equal."""
    drawn = (
        "board: near\n"
        + NUMBERS % "N-"
        + "picture: {legend: {b: brook}, rows: ['bbb', '....', '...', '....', '...']}\n"
    )
    package(tmp_path, near_yaml=drawn)
    assert checked_cards(tmp_path) == 0
    (tmp_path / "near.yaml").write_text(drawn.replace("'....'", "'...'", 1))
    assert checked_cards(tmp_path) == 1
