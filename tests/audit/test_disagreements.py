"""A question that says yes to what an action refuses by a condition that is no question is found in examples and games.

All cases are actions of one stack, each with a verdict of its own, which is compiled once.
"""

import json
from pathlib import Path

import pytest

from rulewright.cli.app import run
from rulewright.new_packages import new_game
from runtime.audit.audited_examples import audit_examples
from runtime.audit.permission_comparison import PermissionComparison
from runtime.graph.budget import TooMuchWork
from tests.analysis.planted import compiled

GAME = """
side north, south
kind cart has room: 0..4
status cart: dizzy until end of turn
status cart: laden until end of turn
record trip {by: side, who: cart, late: yes_no}
define ready(c: cart): yes_no = c is laden and c.room > 1
verdict may_any(c: cart) default allowed
rule any-needs-room "Any needs room." may_any forbidden when not may_part(c)
verdict may_part(c: cart) default allowed

resolution shake(c: cart) "Shake." { mark c as dizzy }
sequence game { each turn in 1..3 { each player in {north, south} { phase moving "Moving" { offer act until yes } } } }
"""
OWN = "c in all cart where c.side = player and may{0}(c)"
CASES = (
    # The rest of the set that an action chooses from, further steps, further rules and procedures, whether it is found.
    ("and c is dizzy", "", "", True),
    ("", "legal c is dizzy", "", True),
    ("", "let d = c legal ready(d)", "", True),
    ("and c is dizzy", "", 'rule dizzy{0} "Only the dizzy." may{0} forbidden when c is not dizzy', False),
    # The question says no to what the condition refuses.
    ("and c.room > 3", "", 'rule room{0} "Room." may{0} forbidden when c.room <= 3', False),
    # Another action takes what the first one refuses.
    ("and c is dizzy", "",
     'action also{0} by player in moving "Also." {{ choose c from {{c in all cart where may{0}(c) and c is not dizzy}}'
     " mark c as laden }}\noffer also{0} beside act{0}", False),
    # Whose turn it is, distances, and another verdict.
    ("", "choose to from neighbors(c.hex)", "", False),
    ("and game.phase = moving", "", "", False),
    ("", "legal may_part(c)", "rule part{0} \"Part.\" may_part forbidden when c is not dizzy", False),
)  # fmt: skip
EXAMPLE = """
example "carts {0}" {{
  row A, B
  piece C: cart of north at A (room 2)
  piece D: cart of south at B (room 2)
  set game.player to north
  ask may{0}(C) = {1}
}}
"""


# A question about a field: refused only if no record with that field fits.
TRIPS = """
verdict may_{0}(c: cart) default allowed
action {0} by player in moving "Go." {{
  choose t from {{t in all trip where t.by = player and t.late and may_{0}(t.who)}}
  do shake(t.who)
}}
example "trips {0}" {{
  row A
  piece C: cart of north at A (room 2)
  write trip(by: north, who: C, late: no)
  {1}
  set game.player to north
  ask may_{0}(C) = allowed
}}
"""
LATE = "write trip(by: north, who: C, late: yes)"
TOY = """
verdict may_rest(u: unit) default allowed
  reads "{u} may rest" denied "{u} may not rest"
rule no-rest-in-the-marsh [Q.1] "Nobody rests in a marsh."
  may_rest forbidden
  when u.hex is marsh
action rest by player in movement [Q.1] "Rest." reads "rest" {
  choose u from {u in all unit where u.side = player and u is tired and may_rest(u)} preferring 1
  unmark u as tired
}
offer rest beside march
example "rest" {
  row A
  piece R: runner of north at A (tired)
  piece S: runner of north at A
  set game.player to north
  act rest(u: R)
}
"""


def game() -> str:
    """Write the game with one action for each case."""
    text = GAME.replace(
        "offer act", f"offer {', '.join((*(f'act{number}' for number in range(len(CASES))), 'go', 'stay'))}"
    )
    text += TRIPS.format("go", "") + TRIPS.format("stay", LATE)
    for number, (filtered, steps, more, is_found) in enumerate(CASES):
        text += f"verdict may{number}(c: cart) default allowed\n{more.format(number)}\n"
        text += f'action act{number} by player in moving "Act." {{ choose c from {{{OWN.format(number)} {filtered}}}'
        text += f" {steps} do shake(c) }}\n"
        is_denied = not is_found and "may{0} forbidden" in more
        text += EXAMPLE.format(number, "forbidden" if is_denied else "allowed")
    return text


def test_questions_that_say_yes_to_what_an_action_refuses(tmp_path: Path) -> None:
    files = {"layer.yaml": "layer: planted\ntitle: Planted\nkind: base\ncites: house\n", "game.rules": game()}
    audit = audit_examples(compiled(files, tmp_path))
    assert audit.comparison is not None
    assert set(audit.comparison.positions) >= {f"act{number}" for number in range(len(CASES))}
    found = {each.action: each.questions[0].term for each in audit.comparison.disagreements}
    assert found == {"go": "may_go", **{f"act{number}": f"may{number}" for number, case in enumerate(CASES) if case[3]}}


@pytest.mark.parametrize(
    "arguments",
    [["resting"], ["first_toy", "--rules", "resting", "-n", "2", "--players", "random"]],
    ids=["examples", "games"],
)
def test_a_disagreement_is_reported_with_both_reasons(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new_game("toy", tmp_path / "packages")
    place = tmp_path / "packages" / "resting"
    place.mkdir()
    manifest = "layer: resting\ntitle: Resting\nkind: variant\non: [toy]\n"
    sources = "sources:\n  - {prefix: Q, title: Resting, items: [Q.1]}\n"
    for name, text in {"layer.yaml": manifest, "sources.yaml": sources, "resting.rules": TOY}.items():
        (place / name).write_text(text, encoding="utf-8")
    path = ["--path", str(tmp_path / "packages"), "--format", "json"]
    assert run(["audit", *arguments, "--positions", str(tmp_path), *path]) == 0
    (only,) = json.loads(capsys.readouterr().out)["disagreements"]
    assert (only["question"], only["procedure"]) == ("may_rest", "action rest")
    assert only["refused"].endswith("is not tired")
    assert only["because"] == ["Allowed unless a rule says otherwise."]
    assert run(["ask", "resting", "-p", only["position"], only["asked"], *path]) == 0
    assert json.loads(capsys.readouterr().out)["value"] == "allowed"


def test_an_exhausted_budget_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def draw(*_: object) -> None:
        raise TooMuchWork

    monkeypatch.setattr(PermissionComparison, "_draw", draw)
    files = {"layer.yaml": "layer: planted\ntitle: Planted\nkind: base\ncites: house\n", "game.rules": game()}
    audit = audit_examples(compiled(files, tmp_path))
    assert audit.comparison is not None
    assert audit.comparison.unfinished == audit.comparison.positions
    assert audit.comparison.unfinished.total() > 0
    assert not audit.comparison.disagreements
