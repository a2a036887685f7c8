"""`test` checks the reasons of refusals, and choices of reacting sides that are not open."""

import json
from pathlib import Path

import pytest

from rulewright.serve.cli.app import run

SOURCES = "sources:\n  - {prefix: T, title: Toy, edition: ours, items: [T.1, T.2, T.3, T.4, T.5, T.6, T.7, T.8]}\n"
GAME = """side red, blue
kind unit has pace: 0..9
status unit: tired, lame, watching
feature hex: bog
record order {by: side, unit: unit}
event moved(u: unit, to: hex)

verdict may_go(u: unit, to: hex) default allowed
  reads "{u} may go to {to}" denied "{u} may not go to {to}"

rule bogs-bar [T.1] "Nobody goes into a bog."
  may_go forbidden
  when to is bog

rule tired-stay [T.2] "Who is tired stays."
  may_go forbidden
  when u is tired

verdict may_shoot(f: unit, u: unit) default allowed
  reads "{f} may shoot at {u}" denied "{f} may not shoot at {u}"

rule watchers-only [T.3] "Only those who watch shoot."
  may_shoot forbidden
  when f is not watching

define walkers(s: side) = {u in all unit where u.side = s and u is not lame}

action go by player in moving [T.4] "Go one hex." {
  choose u from walkers(player)
  choose to from neighbors(u.hex)
  legal may_go(u, to)
  legal u.pace > 0
  move u to to
  tell moved(u, to)
}

action rest by player in moving [T.5] "Rest." {
  choose u from {u in all unit where u.side = player}
  mark u as tired
}

action step_on(u: unit) by player [T.4] "Go one hex more." {
  choose to from neighbors(u.hex)
  legal may_go(u, to)
  move u to to
}

action wander by player in moving [T.4] "Go hex by hex." {
  choose u from walkers(player)
  offer step_on(u) until yes
  mark u as tired
}

verdict may_snipe(f: unit, u: unit) default forbidden

rule snipers-see [T.3] "Who may shoot may snipe."
  may_snipe allowed
  when may_shoot(f, u)

reaction snipe by enemy to moved(u, to) [T.6] "Snipe at who moves." {
  choose any snipers from {f in all unit where f.side = player and may_snipe(f, u)}
  legal count(snipers) > 0
  mark u as lame
}

reaction shoot by enemy to moved(u, to) [T.6] "Shoot at who moves." {
  choose any shooters from {f in all unit where f.side = player and may_shoot(f, u)}
  legal count(shooters) > 0
  mark u as lame
}

sequence play [T.7] {
  each turn in 1..2 { each player in {red, blue} { phase moving "Moving" { offer go, rest, wander until yes } } }
}
"""
EXAMPLE = """
example "x"{cases} {{
  row A, B, C bog
  row D from A ne
  set game.player to red
  piece U: unit of red at B (pace 2)
  piece T: unit of red at B (pace 2, tired)
  piece L: unit of red at B (pace 2, lame)
  piece S: unit of red at B (pace 0)
  piece G: unit of blue at A
  piece W: unit of blue at A (watching)
  {lines}
}}
"""
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a game of four actions and two reactions; return its folder."""
    monkeypatch.setattr("rulewright.library.shipped_folders.rules_folder", lambda: tmp_path)
    (tmp_path / "sources.yaml").write_text(SOURCES)
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "layer.yaml").write_text("layer: game\ntitle: Game\nkind: base\n")
    (tmp_path / "game" / "game.rules").write_text(GAME)
    return tmp_path / "game"


def findings(game: Path, capsys: Capture, *lines: str, cases: str = "") -> list[str]:
    """Test one example; return what it expects and what it finds, for each failure."""
    (game / "more.rules").write_text(EXAMPLE.format(lines="\n  ".join(lines), cases=cases))
    code = run(["test", "game", "--format", "json"])
    data = json.loads(capsys.readouterr().out)
    if "failures" not in data:
        return [each["message"] for each in data["diagnostics"]]
    found = [f"{each['expected']} | {each['actual']}" for each in data["failures"]]
    assert code == bool(found)
    return found


@pytest.mark.parametrize(
    "line",
    [
        "act go(u: U, to: C) refused by bogs-bar",
        "act go(u: U, to: C) refused because bogs-bar",
        "act go(u: T, to: A) refused by tired-stay",
        "act go(u: T, to: C) refused by tired-stay, bogs-bar",
        "act go(u: L, to: A) refused by lame",
        "act go(u: L, to: A) refused by u",
        "act go(u: G, to: A) refused by side",
        "act go(u: U, to: B) refused by to",
        "act go(u: S, to: A) refused by pace",
        "act go(u: S, to: A) refused by go",
        "act go(u: T) refused by tired-stay",
        "act go(u: U, to: A)",
        "act go(u: U, to: A, shooters: {W})",
        "act go(u: U, to: A, shooters: {G} refused by watchers-only)",
        "act go(u: U, to: A, shooters: {U} refused by side)",
        # A refusal in an offered action, and one by a missing permission.
        "act wander(u: U, to: C) refused by bogs-bar",
        "act wander(u: U, to: C) refused by step_on",
        "act go(u: U, to: A, snipers: {G} refused by watchers-only)",
        "act go(u: U, to: A, snipers: {W, G} refused by watchers-only)",
    ],
)
def test_a_correct_reason_passes(game: Path, capsys: Capture, line: str) -> None:
    assert findings(game, capsys, line) == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("act go(u: U, to: C) refused by tired-stay", "`go` to be refused by tired-stay | refused by bogs-bar: "),
        (
            "act go(u: U, to: C) refused because tired-stay",
            "`go` to be refused because tired-stay | refused by bogs-bar",
        ),
        ("act go(u: L, to: A) refused by tired-stay", "`go` to be refused by tired-stay | refused by lame: `u` is not"),
        ("act go(u: U, to: A) refused by bogs-bar", "`go` to be refused | taken"),
        ("act go(u: U) refused", "`go` to be refused | neither: the example leaves open what `to` is: "),
        ("act rest() refused", "`rest` to be refused | neither: the example leaves open what `u` is: U, T or L"),
        (
            "act go(u: U, to: A, shooters: {G})",
            "to choose `shooters` while `go` goes on | chosen in `shoot`, which is refused by wat",
        ),
        (
            "act go(u: U, to: A, snipers: {U})",
            "is refused by side: `snipers` is not open: U belongs to the red side, not blue",
        ),
        (
            "act wander(u: U, to: C) refused by tired-stay",
            "`step_on` to be refused by tired-stay | refused by bogs-bar",
        ),
        ("act wander(u: U, to: A) refused by bogs-bar", "`wander` to be refused | taken"),
        ("act rest(u: U, shooters: {W})", "`rest` has no choice `shooters`"),
        ("act go(u: U, to: A, shooters: {W} refused)", "`shooters` to be refused while `go` goes on | chosen"),
        (
            "act go(u: U, to: A, shooters: {G} refused by side)",
            "`shoot` to be refused by side | refused by watchers-on",
        ),
        ("act go(u: U, to: C) refused by bog-bars", "there is no rule or condition `bog-bars`"),
        ("act go(u: U, to: C) refused because bog-bars", "there is no rule `bog-bars`"),
        ("act go(u: U, to: C refused)", "`to` is a choice within `go`, so only the whole action can be refused"),
    ],
)
def test_a_wrong_reason_fails(game: Path, capsys: Capture, line: str, message: str) -> None:
    [found, *_] = findings(game, capsys, line)
    assert message in found


def test_a_choice_without_members_is_refused_by_what_its_set_is_made_of(game: Path, capsys: Capture) -> None:
    """And not by its own name, which is no reason."""
    (game / "called.rules").write_text(
        "define called(s: side) = {o.unit for o in all order where o.by = s}\n\n"
        'action obey by player in moving [T.6] "Go where one is called." {\n'
        "  choose c from called(player)\n  mark c as tired\n}\n"
    )
    for choice in ("", "c: U"):
        [found, *_] = findings(game, capsys, f"act obey({choice})")
        assert found.startswith("`obey` to be taken | refused by called: `c` is not open")
        assert findings(game, capsys, f"act obey({choice}) refused by called") == []
    [found, *_] = findings(game, capsys, "act go(u: U, to: B)")
    assert not found.startswith("`go` to be taken | refused by to")
