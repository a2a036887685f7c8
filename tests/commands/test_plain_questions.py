"""`ask` with a position answers plain words that name pieces and places of it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from rulewright.cli.app import run
from rulewright.position_questions import MOST_ENDED
from tests.sample import sampled

Capture = pytest.CaptureFixture[str]

POSITION = Path(__file__).parents[2] / "docs" / "positions" / "crowded-road.yaml"
SHORE = """\
position: shore
stack: low_tide
board: {rows: [[A mud, a mud, C channel]]}
pieces:
  - {name: W, type: walker, side: north, at: A}
  - {name: V, type: walker, side: south, at: C}
"""


def answered(capsys: Capture, query: str, file: Path = POSITION, stack: str = "panzer_leader") -> dict[str, Any]:
    """Return the answer to a query as data."""
    assert run(["ask", stack, "-p", str(file), query, "--format", "json"]) == 0
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    return data


@sampled(1)
@pytest.mark.parametrize(
    ("query", "phase", "side", "line", "call"),
    [
        (
            "may H enter B?",
            "movement",
            "allied",
            "Go on: H may not enter B from A.",
            "may_enter(H, A, B, terrain, march)",
        ),
        ("can H fire at P", "combat", "allied", "Fire at one unit: H may not take part in the attack.", ""),
        ("can P fire at H", "combat", "german", "Fire at one unit: P may not take part in the attack.", ""),
        ("what can P do", "movement", "german", "nothing is open to P now", ""),
        ("what is P's move", "movement", "german", "Move a vehicle: P may not move.", "may_move(P)"),
        ("panther", "movement", "german", "nothing is open to P now", ""),
        ("what does it cost H to enter B", "movement", "allied", "", "entry_cost(H, A, B, road, march)"),
        ("can H take R1 aboard", "movement", "allied", "", "may_load(H, R1)"),
        ("does H see C", "movement", "allied", "", "can_see(H, C)"),
        ("can R1 see P", "movement", "allied", "", "can_see(R1, C)"),
        ("how far is T from P", "movement", "allied", "", ""),
        ("can T spot P", "movement", "allied", "", "spotted(P, allied)"),
        ("is T spotted by P", "movement", "allied", "", "spotted(T, german)"),
        ("what does B cost H", "movement", "allied", "", "terrain_price(H, A, B, march)"),
        ("is P dispersed", "movement", "german", "P is dispersed.", ""),
        ("has P been spotted from everywhere", "movement", "german", "", "spotted(P, german)"),
        ("what is the attack of T", "movement", "allied", "T: m4, Allied", ""),
        ("where is R1", "movement", "allied", "R1: us rifle, Allied", ""),
        ("is C a slope", "movement", "allied", "C is a slope.", ""),
        ("are there woods in C", "movement", "allied", "C is not woods.", ""),
        ("has P fired", "combat", "german", "P has not fired.", ""),
        ("is B full", "movement", "allied", "", "is_full(B)"),
        ("who can fire at P", "combat", "allied", "open to Allied against P:", ""),
        ("why can H not get to B", "movement", "allied", "Go on: H may not enter B from A.", ""),
    ],
)  # fmt: skip
def test_named_pieces_and_places(capsys: Capture, query: str, phase: str, side: str, line: str, call: str) -> None:
    found = answered(capsys, query)
    assert (found["phase"], found["side"]) == (phase, side)
    assert (line in found["lines"]) == bool(line)
    calls = {each["call"]: each for each in found["questions"]}
    assert (call in calls) == bool(call)
    assert all(("text" in each) == ("{" not in each["call"]) for each in found["questions"])


def test_answers_equal_those_of_the_calls(capsys: Capture) -> None:
    found = answered(capsys, "what does it cost H to enter B")
    assert [len(each["same_with"]) for each in found["questions"]] == [4, 4]
    for each in found["questions"]:
        same_with = each["same_with"]
        call_data = answered(capsys, each["call"])
        assert {**call_data, "call": each["call"], "same_with": same_with, "whatever": []} == each
        other = answered(capsys, each["call"].replace("march", same_with[0]))
        assert (other["value"], other["because"]) == (each["value"], each["because"])


def test_other_forms_of_a_refused_question_are_left_out(capsys: Capture) -> None:
    calls = [each["call"] for each in answered(capsys, "why can H not enter B")["questions"]]
    assert calls == ["may_enter(H, A, B, terrain, march)"]
    calls = [each["call"] for each in answered(capsys, "what does it cost H to enter B")["questions"]]
    assert {"entry_cost(H, A, B, terrain, march)", "entry_cost(H, A, B, road, march)"} <= {*calls}


def test_equal_answers_are_printed_once(capsys: Capture) -> None:
    assert run(["ask", "panzer_leader", "-p", str(POSITION), "what does it cost H to enter B"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "entry_cost(H, A, B, terrain, march)" in printed
    assert "entry_cost(H, A, B, road, march)" in printed
    assert printed.count("The same with overrun, assault, quick and wade.") == 2


def test_arguments_that_do_not_matter_are_named(capsys: Capture) -> None:
    query = "how many enemies are next to B"
    assert run(["ask", "panzer_leader", "-p", str(POSITION), query]) == 0
    assert "By prey [house]. The same whatever the side." in " ".join(capsys.readouterr().out.split())
    (found,) = answered(capsys, query)["questions"]
    assert (found["call"], found["same_with"], found["whatever"]) == ("prey(B, german)", ["allied"], ["side"])


@sampled(0)
def test_the_named_action_or_else_the_questions_come_first(capsys: Capture) -> None:
    for query, is_action in (("may H enter B", True), ("road rate H B", False)):
        assert run(["ask", "panzer_leader", "-p", str(POSITION), query]) == 0
        printed = capsys.readouterr().out
        assert ("Allied, movement:" in printed) == is_action
        assert printed.index("Questions of the rules") > printed.find("Allied, movement:")
    assert run(["ask", "panzer_leader", "-p", str(POSITION), "can H stop in B"]) == 0
    assert "may_stop_behind(H, B)" in capsys.readouterr().out


def test_other_words_search_the_book(capsys: Capture) -> None:
    """The position is not ignored without a word: the note names what it has."""
    found = answered(capsys, "stacking limit")
    assert "names nothing of the position" in found["note"]
    assert "H, R1, R2, T, P" in found["note"]
    assert found["places"]
    found = answered(capsys, "stacking limit of R1 and A")
    assert "stacking limit" in found["note"]
    assert found["places"]


def test_what_is_allowed_is_not_answered_by_what_was_done(capsys: Capture) -> None:
    """That R1 has not ridden is no answer to whether it can; *ride on* is a search phrase of loading."""
    assert answered(capsys, "can R1 ride on T")["lines"][0] == "Load: T may not take R1 aboard."
    assert "R1 has not ridden this turn." in answered(capsys, "is R1 riding")["lines"]


@sampled(0)
def test_words_of_most_questions_are_no_topic(capsys: Capture) -> None:
    """A word of the kind of a piece alone names no action; the book is searched for the other word."""
    found = answered(capsys, "how many units may swim in B")
    assert (found["lines"], found["questions"]) == ([], [])
    assert "names answers “swim”" in found["note"]
    assert found["places"][0]["title"] == "Swimming tanks that sink"


@sampled(0)
def test_an_open_action_comes_before_refused_ones_and_a_refusal_before_nothing(capsys: Capture, tmp_path: Path) -> None:
    """Of several actions with the word the open one answers; where none is informative, the nearest refusals do."""
    line, *forecast = answered(capsys, "can T fire at P")["lines"]
    assert line == "Nothing forbids it: the action is open (fire at one unit)."
    assert re.fullmatch(r"fire at one unit \(target P\) -- \d in 6: .*", forecast[0])
    assert "22 factors against 12 factors, 1-1" in forecast[1]
    fight = tmp_path / "fight.yaml"
    fight.write_text(POSITION.read_text(encoding="utf-8").replace("phase: movement", "phase: combat"), encoding="utf-8")
    assert answered(capsys, "what are the odds of T against P", fight)["lines"] == forecast
    found = answered(capsys, "can T fire at H")
    assert "note" not in found
    assert found["lines"] == ["Fire at one unit: H's side is Allied, needs anything but Allied."]


def test_words_that_the_book_does_not_have_leave_the_answer(capsys: Capture) -> None:
    found = answered(capsys, "may H zyzzy to B")
    assert found["lines"][0] == "Go on: H may not enter B from A."
    assert not answered(capsys, "zyzzy H B")["lines"]
    found = answered(capsys, "zyzzy H B")
    assert "nothing in the book of panzer_leader is about “zyzzy”" in found["note"]
    assert run(["ask", "panzer_leader", "-p", str(POSITION), "zyzzy qqux"]) == 2
    assert "Its pieces are H, R1" in " ".join(capsys.readouterr().err.split())


def test_an_answer_for_a_side_says_so_where_there_are_secrets(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "march.yaml"
    file.write_text("position: march\nstack: two_clans\nboard: {spaces: {Here: pasture}}\n"
                    "pieces: [{name: G, type: guard, side: ash, at: Here}]\n")  # fmt: skip
    assert run(["ask", "two_clans", "-p", str(file), "--as", "birch", "what can G do", "--format", "json"]) == 0
    assert "the secrets of other sides are left out" in json.loads(capsys.readouterr().out)["note"]


def test_a_place_alone_is_described(capsys: Capture) -> None:
    assert answered(capsys, "C")["lines"][0].startswith("C: ")


def test_a_piece_of_nobody_has_no_side(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "shore.yaml"
    file.write_text(SHORE.replace("walker, side: north", "walker"))
    assert run(["ask", "low_tide", "-p", str(file), "W.side"]) == 0
    assert capsys.readouterr().out.strip() == "no side"


def test_an_article_is_no_place(capsys: Capture, tmp_path: Path) -> None:
    """A place `a` is named by a query only where its letter is the name of something that the query means."""
    file = tmp_path / "shore.yaml"
    file.write_text(SHORE.replace("a mud", "B mud"))
    assert "names nothing of the position" in answered(capsys, "is a walker slow", file, "low_tide")["note"]
    found = answered(capsys, "may W step to B", file, "low_tide")
    assert "may_step(W, B)" in [each["call"] for each in found["questions"]]
    # The position lacks what the beginning of the turn sets.
    assert found["lines"] == ["what is open is not known: `pace` of W is read and is not there"]


def test_a_wrong_position_is_a_finding(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "shore.yaml"
    file.write_text(SHORE.replace("walker, side: north", "swimmer, side: north"))
    assert run(["ask", "low_tide", "-p", str(file), "why may W not move"]) == 1
    assert "swimmer" in capsys.readouterr().out


def test_a_required_fact_that_the_position_lacks_is_named(tmp_path: Path, capsys: Capture) -> None:
    layer = tmp_path / "pond"
    layer.mkdir()
    (layer / "layer.yaml").write_text("layer: pond\ntitle: Pond\nkind: base\ncites: house\n", encoding="utf-8")
    rules = """\
side north, south
kind duck
track scenario.tame: set of side required "whose ducks are tame"
condition may_land(d: duck, h: hex) default no reads "{d} may land in {h}" denied "{d} may not land in {h}"
rule tame-ducks-land "Tame ducks land."  may_land holds  when d.side in scenario.tame
"""
    (layer / "rules.rules").write_text(rules, encoding="utf-8")
    counters = "pieces: duck\ncites: house\ncolumns: [id]\nrows: [[mallard]]\n"
    (layer / "counters.yaml").write_text(counters, encoding="utf-8")
    file = tmp_path / "position.yaml"
    text = "position: p\nstack: pond\nboard: {rows: [[A, B]]}\npieces: [{name: M, type: mallard, side: north, at: A}]\n"
    file.write_text(text, encoding="utf-8")
    query = ["ask", "pond", "-p", str(file), "--path", str(layer), "--format", "json", "may M land in B"]
    assert run(query) == 0
    question = json.loads(capsys.readouterr().out)["questions"][0]
    assert question["unanswered"] == "`tame` is required, and the position has none: whose ducks are tame"
    file.write_text(f"{text}game: {{tame: [north]}}\n", encoding="utf-8")
    assert run(query) == 0
    assert json.loads(capsys.readouterr().out)["questions"][0]["value"] is True


COLUMN = """\
position: column
stack: panzerblitz
game: {turn: 2, player: russian, phase: movement}
board: {rows: [[P, Q, R, S]]}
pieces:
  - {name: W, type: russian_truck, at: P}
  - {name: T, type: t34, at: S}
  - {name: I, type: russian_rifle, at: R}
  - {name: E1, type: rifle, at: Q}
  - {name: M, type: minefield, side: german, at: S}
"""


@sampled(1)
@pytest.mark.parametrize(
    ("query", "line", "call", "missed"),
    [
        ("may W overrun E1", "  Not allowed by motorcycles-may-overrun [PBQ.UNIT.13]: W is not a motorcycle.", "", ""),
        ("may I clear M", "Clear mines: I is not an engineer.", "may_clear(I, M)",
         "Not allowed by engineers-clear-mines [PBB.13, PBQ.MINE.09]: I is not an engineer."),
        ("may T see E1", "", "can_see(T, Q)", ""),
        ("may T see W", "", "can_see(T, P)", ""),
    ],
)  # fmt: skip
def test_what_no_rule_allows_and_places_of_pieces(
    capsys: Capture, tmp_path: Path, query: str, line: str, call: str, missed: str
) -> None:
    file = tmp_path / "column.yaml"
    file.write_text(COLUMN, encoding="utf-8")
    found = answered(capsys, query, file, "panzerblitz")
    assert (line in found["lines"]) == bool(line)
    assert not any("Nothing forbids it" in each for each in found["lines"])
    calls = {each["call"]: each for each in found["questions"]}
    assert (call in calls) == bool(call)
    assert not call or calls[call].get("missed", []) == [missed] * bool(missed)


@sampled(3)
@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("can T overrun E1", "Overrun: Q is not among the neighbors of T's hex."),
        ("can T overrun the rifle in Q", "Overrun: Q is not among the neighbors of T's hex."),
        ("can W load the rifle in P", "Nothing forbids it: the action is open (load)."),
        ("can the truck in P load L", "Nothing forbids it: the action is open (load)."),
        ("can V overrun W", "Overrun: There is nothing to choose as exit; the hex beyond P, seen from V's hex: none."),
        ("can T go to S", "T goes S: 1 movement point, 10 left"),
        ("where can T go", "T can get to:"),
        ("what carries T", "T: t34, Russian"),
    ],
)
def test_actions_within_the_move_of_a_unit_are_named_too(
    capsys: Capture, tmp_path: Path, query: str, line: str
) -> None:
    """An action that another offers answers like one of the phase; a piece may be named by its kind and its place."""
    file = tmp_path / "column.yaml"
    more = "  - {name: L, type: russian_rifle, at: P}\n  - {name: V, type: panther, at: Q}\n"
    text = COLUMN.replace("[[P, Q, R, S]]", "[[P, Q, R, S, X]]").replace("t34, at: S", "t34, at: X")
    file.write_text(text + more, encoding="utf-8")
    assert answered(capsys, query, file, "panzerblitz")["lines"][0] == line


WORKS = """\
position: works
stack: panzer_leader
game: {turn: 3, player: allied, phase: movement}
board: {rows: [[A, B stream permanent_bridge]], paths: {road: [A-B]}}
pieces:
  - {name: E1, type: sapper, at: A}
  - {name: C1, type: commando, at: B}
"""


@sampled(1)
@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("can E1 blow the bridge in B", "Begin engineer work: E1 may not begin blowing a bridge in B."),
        ("may E1 make a block in A", "Begin engineer work: E1 may not begin making a block in A."),
        ("can C1 blow up the bridge B", "Nothing forbids it: the action is open (begin engineer work)."),
    ],
)
def test_what_an_action_lets_choose_names_it(capsys: Capture, tmp_path: Path, query: str, line: str) -> None:
    file = tmp_path / "works.yaml"
    file.write_text(WORKS, encoding="utf-8")
    assert answered(capsys, query, file)["lines"][0] == line


SURF = """\
position: surf
stack: panzer_leader
game: {turn: 4, player: allied, phase: landing}
board: {rows: [[S sea, T sea], [A beach, B beach]]}
pieces: [{name: R1, type: us_rifle, at: S, afloat: yes}]
records: {landing: [{by: allied, unit: R1, turn: 3, sea: S, beach: A}]}
"""


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("can R1 land", "Nothing forbids it: the action is open (land)."),
        ("may R1 land on A", "Nothing forbids it: the action is open (land)."),
        ("may R1 land on B", "Land: `B` cannot be chosen for that."),
    ],
)
def test_a_piece_stands_for_the_note_about_it(capsys: Capture, tmp_path: Path, query: str, line: str) -> None:
    file = tmp_path / "surf.yaml"
    file.write_text(SURF, encoding="utf-8")
    assert answered(capsys, query, file)["lines"][0] == line


CHARGE = """\
position: charge
stack: panzer_grenadier+pg_overrun+pg_tank_riders+pg_smoke
game: {turn: 1, turns: 10, player: axis, phase: action}
board: {rows: [[A, B, C]]}
pieces:
  - {name: V, type: tank, side: axis, at: A}
  - {name: R, type: rifle, side: axis, at: A}
  - {name: M, type: mortar, side: axis, at: A}
  - {name: X, type: rifle, side: allied, at: C}
relations: {carries: [{carrier: V, passengers: R}]}
"""


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("may V overrun X", "    A tank with riders makes no overrun."),
        ("may M fire smoke at C",
         "Nothing forbids it: the action is open (a unit or battery fires a round of smoke or a star shell)."),
    ],
)  # fmt: skip
def test_the_action_with_most_words_of_the_query_is_meant(
    capsys: Capture, tmp_path: Path, query: str, line: str
) -> None:
    file = tmp_path / "charge.yaml"
    file.write_text(CHARGE, encoding="utf-8")
    assert line in answered(capsys, query, file, "panzer_grenadier+pg_overrun+pg_tank_riders+pg_smoke")["lines"]


FIGHT = """position: fight
stack: panzer_leader
game: {turn: 4, player: german, phase: combat}
board:
  rows: [[A, B woods, C, D town], [E, F slope, G, H], [I, J, K woods, L]]
  paths: {road: [A-B-C-D]}
pieces:
  - {name: Tank, type: pz4, side: german, at: C}
  - {name: Rifles, type: rifle, side: german, at: B}
  - {name: Sherman, type: m4, side: allied, at: D}
  - {name: How, type: howitzer105, side: allied, at: L}
  - {name: Truck, type: us_truck, side: allied, at: K}
"""


@pytest.fixture
def fight(tmp_path: Path) -> Path:
    file = tmp_path / "fight.yaml"
    file.write_text(FIGHT, encoding="utf-8")
    return file


@sampled(1)
@pytest.mark.parametrize(
    ("query", "lines"),
    [
        # An action within another one is named; its refusal has no rule, and comes before those of other actions.
        (
            "may Tank overrun Sherman",
            ["Overrun: There is nothing to choose as exit; the hex beyond D, seen from Tank's hex: none."],
        ),
        ("can How load onto Truck", ["Load: How is not among units in Truck's hex."]),
        # An open action with none of the words is no answer.
        ("stacking limit in D", []),
        ("can Tank push through D", []),
        ("does D block line of sight", []),
        ("can Tank see Sherman", []),
        # How far is answered by places, what by choices.
        ("how far can Tank move", ["Tank can get to:", "  1/2 movement point, 7 1/2 left: B"]),
        ("what can Tank shoot at", ["open with Tank:", "  fire at one unit (target Sherman) -- "]),
        ("what are my options with Tank", ["open with Tank:"]),
        ("what is the range from Tank to Sherman", ["From Tank to Sherman it is 1 hex."]),
        ("how far is How from D", ["From How to D it is 2 hexes."]),
        # A status is meant if all its words are there: the Sherman has not fired from cover, but was not asked that.
        ("is Sherman in cover", []),
        ("has Tank moved", []),
        ("is Sherman dispersed", ["Sherman is not dispersed."]),
    ],
)
def test_lines_are_about_the_words(capsys: Capture, fight: Path, query: str, lines: list[str]) -> None:
    found = answered(capsys, query, fight)["lines"]
    assert bool(found) == bool(lines)
    assert all(line.startswith(start) for line, start in zip(found, lines, strict=False)), found


def test_either_piece_may_come_first_before_a_preposition(capsys: Capture, fight: Path) -> None:
    calls = [each["call"] for each in answered(capsys, "can How load onto Truck", fight)["questions"]]
    assert {"may_load(How, Truck)", "may_load(Truck, How)"} <= {*calls}


def test_whether_a_unit_is_spotted_is_asked_of_its_enemies_first(capsys: Capture, fight: Path) -> None:
    calls = [each["call"] for each in answered(capsys, "is Tank spotted", fight)["questions"]]
    assert [call for call in calls if call.startswith("spotted(")] == ["spotted(Tank, allied)", "spotted(Tank, german)"]


def test_forecasts_are_of_acts_at_the_named_target(capsys: Capture, fight: Path) -> None:
    """Pieces and hexes are numbers alike: Tank is the first piece, A the first hex, and a shot at A is none at Tank."""
    text = FIGHT.replace("player: german", "player: allied") + "  - {name: Scout, type: rifle, side: german, at: A}\n"
    fight.write_text(text, encoding="utf-8")
    for query in ("what are the odds of Sherman against Tank", "what are the odds of Sherman against C"):
        found = answered(capsys, query, fight)["lines"]
        assert found
        assert all("target Tank" in line or "(C)" in line for line in found if " -- " in line), found


@sampled(0)
def test_a_question_about_a_step_takes_neighbors(capsys: Capture, fight: Path) -> None:
    """No hexside is between B and D, so nothing would bar the Rifles in B from D."""
    for place, is_step in (("C", True), ("D", False)):
        calls = [each["call"] for each in answered(capsys, f"can Rifles enter {place}", fight)["questions"]]
        assert any(call.startswith(f"may_enter(Rifles, B, {place}, ") for call in calls) == is_step
        assert any(call.startswith("may_enter(") for call in calls) == is_step


def test_a_pair_of_the_position_that_ends_at_once_is_named(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "seen.yaml"
    pieces = [f"{{name: P{number}, type: pz4, at: C}}" for number in range(MOST_ENDED + 1)]
    pairs = [f"{{watchers: R, seen: P{number}, where: C}}" for number in range(MOST_ENDED + 1)]
    text = (
        "position: seen\nstack: panzer_leader\ngame: {turn: 4, player: allied, phase: combat}\n"
        f"board: {{rows: [[A, B, C]]}}\npieces: [{{name: R, type: us_rifle, at: A}}, {', '.join(pieces)}]\n"
        f"relations: {{sighting: [{', '.join(pairs)}]}}\n"
    )
    file.write_text(text, encoding="utf-8")
    for query in ("is P1 spotted", "spotted(P1, allied)"):
        assert "note" not in answered(capsys, query, file)
    file.write_text(text.replace("A, B, C", "A, B town, C"), encoding="utf-8")
    for query in ("is P1 spotted", "spotted(P1, allied)"):
        assert answered(capsys, query, file)["note"] == (
            "`sighting` of R and P0 ends at once, as R has lost sight of P0. "
            "`sighting` of R and P1 ends at once, as R has lost sight of P1. "
            "`sighting` of R and P2 ends at once, as R has lost sight of P2. Others that end at once: 1."
        )
