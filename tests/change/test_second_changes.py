"""Changes are appended to a layer of changes: of other cards, rules, and with other packages."""

from pathlib import Path

import pytest

from rulewright.serve.cli.app import run
from tests.sample import sampled

LAYER = ["change", "two_clans", "longer", "--dir", "."]
FIRST = ("--turns", "before_winter", "9")
OTHERS = [("--cell", "orders_of", "drive", "3"), ("--forbid", "may_march", "--when", "to is crag")]


@sampled(0)
def test_changes_are_appended_to_a_layer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for given in (FIRST, *OTHERS):
        assert run([*LAYER, "--why", "It is tried.", *given]) == 0, capsys.readouterr().err
    text = (tmp_path / "longer" / "changes.rules").read_text(encoding="utf-8")
    assert text.count("rule ") == len(OTHERS)
    assert run(["check", "two_clans+longer", "--path", "."]) == 0


@sampled(0)
def test_layers_with_equal_initials_have_different_documents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both layers pass `check` from one folder."""
    monkeypatch.chdir(tmp_path)
    for name, turns in (("short_autumn", "4"), ("severe_autumn", "5")):
        given = ["--why", "It is tried.", "--turns", "before_winter", turns]
        assert run(["change", "two_clans", name, "--dir", "mine", *given]) == 0, capsys.readouterr().err
    for name in ("short_autumn", "severe_autumn"):
        assert run(["check", f"two_clans+{name}", "--path", "mine"]) == 0, capsys.readouterr().out


def test_a_repeated_change_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    run([*LAYER, "--why", "It is tried.", *FIRST])
    assert run([*LAYER, "--why", "It is tried.", "--turns", "before_winter", "8"]) == 1
    assert "`before_winter: turns` is changed twice" in capsys.readouterr().out


@sampled(0)
def test_the_printed_command_finds_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    game = tmp_path / "games" / "dice"
    game.mkdir(parents=True)
    (game / "layer.yaml").write_text("layer: dice\ntitle: Dice\nkind: base\n", encoding="utf-8")
    (game / "dice.rules").write_text(RULES, encoding="utf-8")
    (game / "charts.yaml").write_text(CHARTS, encoding="utf-8")
    for name, cell in (("one", ["ram", "2", "strong", "sunk"]), ("two", ["gains", "1", "4"])):
        given = ["change", "dice", name, "--dir", "mine", "--path", "games", "--why", "It is tried.", "--cell", *cell]
        assert run(given) == 0, capsys.readouterr()
        assert f"rulewright check dice+{name} --path mine --path games" in capsys.readouterr().out
        assert run(["check", f"dice+{name}", "--path", "mine", "--path", "games"]) == 0


RULES = """
side red, blue
kind cart has pull: 0..9
domain die = 1..2
scale column in points: 'weak' = 0, 'strong' = 4
measure points
enum outcome_of_ram: safe, sunk
value rammed(d: die, c: cart): outcome_of_ram
  reads "what {d} does to {c}"
rule by-chart [house] "The chart says it."
  rammed is ram[d, if c.pull > 4 then 'strong' else 'weak']
value gained(d: die): 0..9 points
  reads "what {d} gains"
rule by-gains [house] "The chart of gains says it."
  gained is gains[d]
example "rams" {
  row A
  piece C: cart of red at A (pull 5)
  ask rammed(2, C) = safe
  ask gained(1) = 3 points
}
"""
CHARTS = """
table: ram
cites: house
keys: {d: die, c: column}
cell: outcome_of_ram
columns: [weak, strong]
grid:
  1: [safe, sunk]
  2: [safe, safe]
---
table: gains
cites: house
keys: {d: die}
cell: points
hit: collect sum
rows: [{d: 1..2, is: 1}, {d: 1, is: 2}]
"""
