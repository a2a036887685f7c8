"""All commands on a small game: exit codes, the documented keys of their JSON, and their text."""

import json
import re
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from rulewright.serve.cli.app import run
from tests.sample import sampled
from tests.toys.plain_game import plain_game

Capture = pytest.CaptureFixture[str]

POSITION = (
    "position: edge\nstack: toy\nboard: {rows: [[A, B marsh]]}\npieces: [{name: R, type: runner, side: north, at: A}]\n"
)
MINE = {
    "layer.yaml": "layer: mine\ntitle: Mine\nkind: variant\non: [toy]\n",
    "sources.yaml": "sources:\n  - {prefix: V, title: My Variant, items: [V.1]}\n",
    "mine.rules": 'rule dear-marsh [V.1] "Marshes are dearer."\n  replaces cell price[marsh, foot] = 3 MP by 5 MP\n',
}
LEDGER = "- {id: TOY.3, executable: true}\n- {id: TOY.5}\n- {id: TOY.9}\n- {id: TOY.10, executable: false}\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to a folder with a small game, a variant of it, a position and a ledger."""
    plain_game("toy", tmp_path / "packages")
    for name, text in {**{f"packages/mine/{k}": v for k, v in MINE.items()}, "ledger/a.yaml": LEDGER}.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    (tmp_path / "edge.yaml").write_text(POSITION)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ask_json(command: str, capsys: Capture, code: int = 0) -> dict[str, Any]:
    """Run a command and return its JSON; stdout has only JSON, and stderr no traceback."""
    assert run([*command.split(), "--path", "packages", "--format", "json"]) == code
    printed = capsys.readouterr()
    assert "Traceback" not in printed.err
    return json.loads(printed.out)  # type: ignore[no-any-return]


def ask_text(command: str, capsys: Capture, code: int = 0) -> str:
    """Run a command and return its text output."""
    assert run([*command.split(), "--path", "packages"]) == code
    return capsys.readouterr().out


@pytest.mark.usefixtures("here")
def test_the_witness_of_a_diff_is_a_position_in_which_answers_differ(capsys: Capture) -> None:
    term = next(term for term in ask_json("diff toy mine", capsys)["terms"] if term["differs"])
    group = term["groups"][0]
    assert "price[marsh, foot]" in " ".join(group["rules"])
    here, there = (
        ask_json(f"ask {stack} -p {group['witness']} {group['question'].replace(' ', '')}", capsys)["text"]
        for stack in ("toy", "mine")
    )
    assert here != there


@pytest.mark.usefixtures("here")
def test_a_recorded_game_replays_and_diverges_under_other_rules(capsys: Capture) -> None:
    ask_json("play first_toy --seed 4 --players greedy --record game.trial", capsys)
    assert ask_json("replay game.trial", capsys).items() >= {"same": True, "step": None, "rule": None}.items()
    parted = ask_json("replay game.trial --rules mine", capsys, code=1)
    assert parted["same"] is False
    assert parted["step"] is not None
    assert parted["rule"] == "price[marsh, foot]"


@pytest.mark.usefixtures("here")
def test_coverage_counts_what_examples_protect(capsys: Capture) -> None:
    data = ask_json("coverage toy --ledger ledger", capsys)
    assert (data["total"], data["executable"], data["encoded"], data["protected"]) == (4, 3, 2, 2)
    assert data["missing"] == ["TOY.9"]


@pytest.mark.usefixtures("here")
def test_coverage_without_a_ledger_counts_the_items_of_the_sources(capsys: Capture) -> None:
    sources = Path("packages/toy/sources.yaml")
    sources.write_text(sources.read_text().replace("items: [", "items: [TOY.77, "))
    data = ask_json("coverage toy", capsys)
    assert data["total"] == data["executable"] == data["encoded"] + len(data["missing"])
    assert "TOY.3" in data["protected_items"]
    assert "TOY.77" in data["missing"]
    assert data["uncited"] == ["TOY.77"]
    rules = Path("packages/toy/playing.rules")
    rules.write_text(rules.read_text().replace("sequence toy [TOY.6]", "sequence toy [TOY.6, TOY.77]"))
    data = ask_json("coverage toy", capsys)
    assert ("TOY.77" in data["missing"], data["uncited"]) == (True, [])
    assert not any(item.startswith("V.") for item in data["missing"])  # Nothing cites that document.
    rules.write_text(rules.read_text().replace("sequence toy [TOY.6, TOY.77]", "sequence toy [TOY.6]"))
    card = next(each for each in Path("packages").rglob("*.yaml") if "\nscenario: " in each.read_text())
    card.write_text(re.sub("(?m)^cites: .*\n", "", card.read_text()).replace("\nmap:", "\ncites: TOY.77\nmap:"))
    data = ask_json("coverage toy", capsys)
    assert (data["uncited"], data["on_cards"]) == ([], ["TOY.77"])
    assert run(["coverage"]) == 2
    assert "name a STACK" in capsys.readouterr().err


@pytest.mark.usefixtures("here")
def test_mutation_lists_rules_that_no_example_protects(capsys: Capture) -> None:
    data = ask_json("test toy --mutate", capsys, 1)
    assert not data["failed"]
    gone = {each["name"] for each in data["unprotected_at"] if each["what"] == "rule"}
    assert "way-left" in gone
    assert "tired-legs" not in gone
    assert data["altered"]["rules"] == data["noticed"]["rules"] + len(gone)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("what", ["first_toy", "edge.yaml"])
def test_show_draws_a_picture(what: str, tmp_path: Path, capsys: Capture) -> None:
    out = tmp_path / "drawn.svg"
    assert f"drawn into {out}" in ask_text(f"show {what} --out {out}", capsys)
    assert out.read_text(encoding="utf-8").count("<polygon") >= 2


def test_a_new_variant_has_no_findings_and_changes_nothing(here: Path, capsys: Capture) -> None:
    ask_json("new variant deep_snow --on toy --dir packages", capsys)
    report = ask_json("check deep_snow", capsys)
    assert (report["errors"], report["warnings"]) == (0, 0)
    assert {file.name for file in (here / "packages" / "deep_snow").iterdir()} == {
        "layer.yaml", "sources.yaml", "changes.rules",
    }  # fmt: skip
    graphs = [ask_json(f"dump {name} --stage lowered", capsys)["graph"] for name in ("toy", "deep_snow")]
    assert [graphs[1][part] for part in ("rules", "terms", "tables")] == [
        graphs[0][part] for part in ("rules", "terms", "tables")
    ]


def test_a_new_ruling_clarifies_the_first_rule_of_its_layer(here: Path, capsys: Capture) -> None:
    assert ask_json("new ruling what-about-ice --dir packages/toy", capsys)["files"] == ["rulings.rules"]
    written = (here / "packages" / "toy" / "rulings.rules").read_text()
    assert "ruling what-about-ice [house]" in written
    (target,) = re.findall(r"clarifies (.*)", written)
    assert target in ask_json("dump toy --stage lowered", capsys)["graph"]["rules"]
    assert run(["new", "ruling", "what-about-ice", "--dir", "packages/toy"]) == 2


def test_a_stack_may_be_a_folder(here: Path, capsys: Capture) -> None:
    assert run(["check", str(here / "packages" / "toy"), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["errors"] == 0
    assert run(["check", "packages/mine", "--path", "packages/toy"]) == 0


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("what", ["packages/toy", "packages/toy/", "packages/toy/field.yaml"])
@pytest.mark.parametrize("command", ["show {}", "play {}", "compare {} -n 1 -j 1 --players random"])
def test_a_card_may_be_the_folder_of_its_layer(what: str, command: str, capsys: Capture) -> None:
    assert run(command.format(what).split()) == 0, capsys.readouterr().err


def test_a_folder_without_exactly_one_card_lists_the_playable_cards(here: Path, capsys: Capture) -> None:
    assert run(["play", "packages/mine", "--path", "packages"]) == 2
    assert "name one that it can be played on and add `--rules packages/mine/`: first_toy" in capsys.readouterr().err
    card = (here / "packages" / "toy" / "field.yaml").read_text(encoding="utf-8").partition("---\n")[2]
    (here / "packages" / "toy" / "second.yaml").write_text(card.replace("first_toy", "second_toy"), encoding="utf-8")
    assert run(["play", "packages/toy"]) == 2
    assert "has 2 situations; add `--path packages/toy` and name one: first_toy, second_toy" in capsys.readouterr().err


@pytest.mark.usefixtures("here")
def test_a_person_plays_leaves_and_resumes(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    def play(command: str, typed: str) -> tuple[str, str]:
        monkeypatch.setattr("sys.stdin", StringIO(typed))
        assert run([*command.split(), "--path", "packages"]) == 0
        return capsys.readouterr()

    out, err = play("play first_toy --players human,random --record game.trial", "?\n1\nquit\n")
    assert out == "left; `play --resume game.trial` goes on from here\n"
    assert "type the number of an option" in err
    assert run("play first_toy --players human,random --record game.trial --path packages".split()) == 2
    assert "game.trial is there already: go on with `play --resume game.trial`" in capsys.readouterr().err
    out, err = play("play --resume game.trial", "1\n" * 500)
    assert "written to game.trial" in out
    assert ask_json("replay game.trial", capsys)["same"] is True
    assert run("play --resume game.trial --path packages".split()) == 2
    assert "this game is over" in capsys.readouterr().err


@pytest.mark.usefixtures("here")
def test_a_truncated_record_of_a_game_is_resumed_to_the_same_game(here: Path, capsys: Capture) -> None:
    whole = ask_json("play first_toy --seed 5 --players greedy,random --record a.trial", capsys)
    lines = (here / "a.trial").read_bytes().splitlines(keepends=True)
    assert "the same game: " in ask_text("replay a.trial", capsys)
    (here / "b.trial").write_bytes(b"".join(lines[:7]) + lines[7][:20])
    assert "the same game, as far as it was recorded: 6 choices" in ask_text("replay b.trial", capsys)
    (here / "c.trial").write_bytes(b"".join((*lines[:3], b"?", *lines[3:])))
    assert run(["replay", "c.trial", "--path", "packages"]) == 2
    assert "c.trial:4: this is no recorded game" in capsys.readouterr().err
    assert ask_json("play --resume b.trial", capsys) == {**whole, "file": "b.trial"}
    assert (here / "b.trial").read_bytes() == b"".join(lines)


@sampled(0)
def test_a_player_function_of_the_user_plays(here: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "strange_players.py").write_text(
        "def last(position, choices):\n"
        "    assert position.side == 'south' and position.turn >= 1 and all(p.name for p in position.pieces)\n"
        "    return choices[-1] if position.draw(2) else len(choices) - 1\n"
        "def wrong(position, choices):\n"
        "    return 'nothing of the kind'\n"
    )
    monkeypatch.syspath_prepend(here)
    command = "play first_toy --player-code strange_players:last --players random,last"
    assert ask_json(command, capsys) == ask_json(command, capsys)
    for code, complaint in [
        ("strange_players:wrong", "wrong chose 'nothing of the kind'"),
        ("strange_players:none", "strange_players has no function `none`"),
        ("strange_players", "name a player as module:function"),
        ("no_such_module_here:last", "No module named 'no_such_module_here'"),
    ]:
        name = code.rpartition(":")[2]
        assert run(f"play first_toy --player-code {code} --players random,{name} --path packages".split()) == 2
        assert complaint in capsys.readouterr().err
    assert run("play first_toy --players random,last --path packages".split()) == 2
    assert "there is no player `last`" in capsys.readouterr().err
