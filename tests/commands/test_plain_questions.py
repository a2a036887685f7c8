"""`ask` with a position finds questions of the rules by words, each with its answer, and places of the book."""

import json
from pathlib import Path
from typing import Any

import pytest

from rulewright.explain.position_questions import MOST_ENDED
from rulewright.serve.cli.app import run

Capture = pytest.CaptureFixture[str]

POSITION = Path(__file__).parents[2] / "docs" / "positions" / "crowded-road.yaml"
SHORE = """\
position: shore
stack: low_tide
board: {rows: [[A mud, B mud, C channel]]}
pieces:
  - {name: W, type: walker, side: north, at: A}
  - {name: V, type: walker, side: south, at: C}
"""


def answered(capsys: Capture, query: str, file: Path = POSITION, stack: str = "panzer_leader") -> dict[str, Any]:
    """Return the answer to a query as data."""
    assert run(["ask", stack, "-p", str(file), query, "--format", "json"]) == 0
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    return data


def test_a_row_has_a_complete_question_its_answer_and_the_deciding_rule(capsys: Capture) -> None:
    row = answered(capsys, "may H use the road to B")["rows"][0]
    assert row["heading"].startswith("May H take the road rate from A to B? (intent: a march, ")
    assert row["calls"][0] == "may_use_road(H, A, B, march)"
    assert row["answer"][0].startswith("No. H may not take the road rate from A to B.")


def test_rows_are_printed_with_the_question_as_ask_takes_it(capsys: Capture) -> None:
    assert run(["ask", "panzer_leader", "-p", str(POSITION), "can H stop in B"]) == 0
    printed = capsys.readouterr().out
    assert "1. May H end its move in B?\n  Yes. H may end its move in B.\n" in printed
    assert "  ask 'may_stop(H, B)'" in printed
    assert "Places of the book" in printed


def test_an_action_is_asked_with_what_the_words_name(capsys: Capture) -> None:
    row = next(row for row in answered(capsys, "can H fire at P")["rows"] if row["sort"] == "action")
    assert row["heading"] == "Fire at one unit: firers H, target P? (Allied, combat)"
    assert row["answer"][0] == "No. H may not take part in the attack."


def test_all_that_is_open_to_a_piece_is_a_row(capsys: Capture) -> None:
    row = answered(capsys, "where can T go")["rows"][0]
    assert (row["sort"], row["heading"]) == ("open", "What is open to T?")


def test_who_asks_for_each_piece(capsys: Capture) -> None:
    rows = answered(capsys, "which tanks can see A")["rows"]
    assert {"can_see(T, A)", "can_see(P, A)"} <= {*rows[0]["calls"]}


def test_words_that_name_nothing_are_said_to(capsys: Capture) -> None:
    found = answered(capsys, "stacking limit")
    assert found["rows"] == []
    assert found["places"]
    assert "names nothing of the position. Its pieces are H, R1" in found["note"]
    assert run(["ask", "panzer_leader", "-p", str(POSITION), "zyzzy qqux"]) == 2
    assert "Its pieces are H, R1" in " ".join(capsys.readouterr().err.split())


def test_an_article_is_no_place(capsys: Capture, tmp_path: Path) -> None:
    """A place `a` is named by its letter only where the position has that letter for a name."""
    file = tmp_path / "shore.yaml"
    file.write_text(SHORE)
    calls = [
        call for row in answered(capsys, "may a walker step to B", file, "low_tide")["rows"] for call in row["calls"]
    ]
    assert "may_step(W, B)" in calls


def test_a_piece_of_nobody_has_no_side(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "shore.yaml"
    file.write_text(SHORE.replace("walker, side: north", "walker"))
    assert run(["ask", "low_tide", "-p", str(file), "W.side"]) == 0
    assert capsys.readouterr().out.strip() == "W's side is no side."


def test_a_wrong_position_is_a_finding(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "shore.yaml"
    file.write_text(SHORE.replace("walker, side: north", "swimmer, side: north"))
    assert run(["ask", "low_tide", "-p", str(file), "why may W not move"]) == 1
    assert "swimmer" in capsys.readouterr().out


def test_an_answer_for_a_side_says_so_where_there_are_secrets(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "march.yaml"
    file.write_text("position: march\nstack: two_clans\nboard: {spaces: {Here: pasture}}\n"
                    "pieces: [{name: G, type: guard, side: ash, at: Here}]\n"
                    "records: {held: [{by: ash, card: frost}]}\n")  # fmt: skip
    command = ["ask", "two_clans", "-p", str(file), "which cards are in the hand of ash", "--format", "json"]
    for reader, is_known in (("ash", True), ("birch", False), ("", False)):
        assert run([*command, *(["--as", reader] if reader else [])]) == 0
        found = json.loads(capsys.readouterr().out)
        assert "secrets of" in found["note"]
        row = next(row for row in found["rows"] if row["name"] == "hand")
        assert ("frost" in row["answer"][0]) == is_known
        assert ("Not answered" in row["answer"][0]) != is_known


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
    row = json.loads(capsys.readouterr().out)["rows"][0]
    assert row["answer"] == ["Not answered: `tame` is required, and the position has none: whose ducks are tame."]
    file.write_text(f"{text}game: {{tame: [north]}}\n", encoding="utf-8")
    assert run(query) == 0
    assert json.loads(capsys.readouterr().out)["rows"][0]["answer"][0] == "Yes. M may land in B."


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


@pytest.mark.parametrize("command", ["explain", "ask"])
def test_without_a_position_words_list_questions_without_answers(command: str, capsys: Capture) -> None:
    assert run([command, "panzer_leader", "can the tank overrun from two hexes off", "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    rows = {row["name"]: row for row in data["rows"]}
    assert rows["may_overrun"]["heading"] == "May a unit overrun a hex and end in another hex?"
    assert rows["may_overrun"]["calls"] == ["may_overrun(runner, target, exit)"]
    assert [row["answer"] for row in rows.values()] == [[]] * len(rows)
    assert data["places"]
