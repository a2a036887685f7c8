"""A book is not printed if it contradicts play, or if a rule has no citation, sentence or example."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from rulewright.serve.cli.app import run
from tests.sample import sampled

LAYER = "layer: lanes\ntitle: Lanes\nkind: base\n"
SOURCES = "sources:\n  - {prefix: T, title: The Lanes, edition: first, sections: {GO: 3}}\n"
DECLARED = """
measure MP "movement points"
side north, south
feature hex: marsh
kind cart has movement: 0..9 MP
value entry_cost(mover: cart, to: hex): 0..9 MP reads "what {mover} pays to enter {to}"
"""
RULES = """
case going "Going" numbered "1" {
  rule open-ground [T.GO.01] "Open ground costs one point."
    entry_cost is 1 MP

  rule marsh-slows [T.GO.02] "Marsh costs three points."
    entry_cost is 3 MP
    exception to open-ground
    when to is marsh

  example "into the marsh" {
    row A, B marsh
    piece C: cart of north at A (movement 4 MP)
    ask entry_cost(C, A) = 1 MP
    ask entry_cost(C, B) = 3 MP because marsh-slows
  }
}
"""


def build(place: Path, rules: str) -> int:
    """Write a game and its book; return the exit code."""
    home = place / "lanes"
    home.mkdir(exist_ok=True)
    (home / "layer.yaml").write_text(LAYER, encoding="utf-8")
    (home / "sources.yaml").write_text(SOURCES, encoding="utf-8")
    (home / "lanes.rules").write_text(DECLARED + rules, encoding="utf-8")
    return run(["reference", str(home), "--out", str(place / "book")])


def test_a_book_without_obstacles_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert build(tmp_path, RULES) == 0, capsys.readouterr().out
    page = (tmp_path / "book" / "cases" / "going.html").read_text(encoding="utf-8")
    # The answer is formatted by the engine, and not written by the author.
    assert "What C pays to enter B is 3 movement points." in page
    assert "B is marsh" in page
    assert "Open ground</a> gives way to" in page


@pytest.mark.parametrize(
    ("old", "new", "code", "message"),
    [
        ("ask entry_cost(C, B) = 3 MP", "ask entry_cost(C, B) = 2 MP", "R0556", "expects 2 movement points"),
        ('"Marsh costs three points."', "", "R0516", "`marsh-slows` has no sentence"),
        ("marsh-slows [T.GO.02]", "marsh-slows", "R0515", "`marsh-slows` cites no source"),
        ('  example "into', '  rule never [T.GO.03] "Nobody goes there."\n    entry_cost is 9 MP\n    exception to'
         ' open-ground, marsh-slows\n    when mover.movement = 0 MP\n\n  rule open-again [T.GO.03] "Open is open."\n'
         '    entry_cost is 1 MP\n    when to is not marsh\n\n  example "into', "R0557", "`never` applies in no"),
        ("case going", 'example "alone" {\n  row A, B marsh\n  piece C: cart at A\n  ask entry_cost(C, B) = 3 MP\n}\n\n'
         'rule never [T.GO.03] "Nobody goes there."\n  entry_cost is 9 MP\n  exception to'
         ' open-ground, marsh-slows\n  when mover.movement = 0 MP\n\ncase going', "R0557", "`never` applies in no"),
    ],
)  # fmt: skip
def test_an_obstacle_prevents_the_book(
    old: str, new: str, code: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert build(tmp_path, RULES.replace(old, new)) == 1
    out = capsys.readouterr().out
    assert f"error {code}" in out
    assert message in out
    assert not (tmp_path / "book").exists()


PLAY = """
resolution rest(c: cart) [T.GO.01] "A cart rests." { set c.spent to 0 MP }
track cart.spent: 0..9 MP = 0 MP
sequence lanes [T.GO.01] { each turn in 1..2 { phase going "Going" { for each c in all cart { do rest(c) } } } }
"""
VARIANT = """
rule rest-half [T.GO.02] "A rest takes one point off."
  wraps resolution rest by { if c.spent > 3 MP { proceed } }
"""


@sampled(1)
@pytest.mark.parametrize(("example", "status"), [("", 1), ('example "rest" { row A piece C: cart at A (spent 5 MP)'
    " do rest(C) ask C.spent = 0 MP }\n", 0)])  # fmt: skip
def test_a_rule_that_wraps_a_resolution_is_shown_by_an_example_that_executes_it(
    example: str, status: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert build(tmp_path, RULES + PLAY) == 0, capsys.readouterr().out
    other = tmp_path / "half"
    other.mkdir()
    manifest = "layer: half\ntitle: Half a Rest\nkind: variant\non: [lanes]\n"
    (other / "layer.yaml").write_text(manifest, encoding="utf-8")
    # The example is in another file than the rule, so its place does not relate them.
    (other / "half.rules").write_text(VARIANT, encoding="utf-8")
    (other / "shown.rules").write_text(example, encoding="utf-8")
    words = ["reference", "lanes+half", "--path", str(tmp_path), "--out", str(tmp_path / "second")]
    assert run(words) == status
    assert ("R0557" in capsys.readouterr().out) == bool(status)


def test_an_older_edition_makes_an_errata_sheet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = tmp_path / "old"
    old.mkdir()
    cheap = (
        RULES.replace("entry_cost is 3 MP", "entry_cost is 2 MP").replace("= 3 MP", "= 2 MP").replace("three", "two")
    )
    assert build(old, cheap) == 0
    assert build(tmp_path, RULES) == 0
    home, out = str(tmp_path / "lanes"), tmp_path / "errata"
    assert run(["reference", home, "--base-path", str(old / "lanes"), "--out", str(out)]) == 0, capsys.readouterr().out
    page = (out / "changes.html").read_text(encoding="utf-8")
    assert "<h1>Errata</h1>" in page
    assert "Marsh costs two points." in page
    assert "major impact" in page
    assert "2 movement points" in page
    assert '<svg class="map"' in page


def git(place: Path, *words: str, day: str = "") -> None:
    who = {
        "GIT_AUTHOR_NAME": "A",
        "GIT_AUTHOR_EMAIL": "a@b.c",
        "GIT_COMMITTER_NAME": "A",
        "GIT_COMMITTER_EMAIL": "a@b.c",
    }
    dates = {"GIT_AUTHOR_DATE": f"{day} 12:00", "GIT_COMMITTER_DATE": f"{day} 12:00"} if day else {}
    subprocess.run(
        ["git", "-C", str(place), *words], check=True, capture_output=True, env={**os.environ, **who, **dates}
    )


@sampled(0)
@pytest.mark.skipif(not shutil.which("git"), reason="NO EDITIONS LAID OUT: git is not here")
def test_the_rules_of_a_date_make_an_errata_sheet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cheap = (
        RULES.replace("entry_cost is 3 MP", "entry_cost is 2 MP").replace("= 3 MP", "= 2 MP").replace("three", "two")
    )
    assert build(tmp_path, cheap) == 0
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "lanes")
    git(tmp_path, "commit", "-q", "-m", "cheap", day="2020-03-01")
    assert build(tmp_path, RULES) == 0
    git(tmp_path, "commit", "-q", "-a", "-m", "dear", day="2020-05-01")
    home, out = str(tmp_path / "lanes"), tmp_path / "errata"
    assert run(["reference", home, "--against", "2020-04-01", "--out", str(out)]) == 0, capsys.readouterr().out
    page = (out / "changes.html").read_text(encoding="utf-8")
    assert "<h1>Errata</h1>" in page
    assert "its edition of 2020-04-01" in page
    assert "Marsh costs two points." in page
    assert run(["reference", home, "--against", "2020-05-01", "--out", str(out)]) == 0
    assert "Nothing differs." in (out / "changes.html").read_text(encoding="utf-8")
    capsys.readouterr()
    assert run(["reference", home, "--against", "1999-01-01", "--out", str(out)]) == 2
    assert "as old as 1999-01-01" in capsys.readouterr().err
