"""A failed example on a card names the changed line of the card; a force of the wrong side names its side."""

import json
from pathlib import Path
from typing import Any

import pytest

from rulewright.serve.cli.app import run
from tests.codes.committed import commit
from tests.sample import sampled
from tests.toys.plain_game import plain_game

Capture = pytest.CaptureFixture[str]

PRINTED = """
example "the first game, as printed" on first_toy {
  ask scenario.turns = 6
  ask (scenario has goal and scenario.goal = 'B4') = yes
  ask count(leading(s in scenario.order where s = north)) = 1
  ask count(u in reserve(unit) where u.counter = cart) = 2
}
"""


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """Write a small game with an example that asks what is printed on its card."""
    folder = plain_game("toy", tmp_path).folder
    with (folder / "moving.rules").open("a") as file:
        file.write(PRINTED)
    return folder


def found(command: str, toy: Path, was: str, now: str, capsys: Capture) -> dict[str, Any]:
    """Run a command on the game after one replacement on its card; return the JSON."""
    card = toy / "field.yaml"
    assert card.read_text().count(was) == 1
    card.write_text(card.read_text().replace(was, now))
    run([command, str(toy), "--format", "json"])
    return json.loads(capsys.readouterr().out)  # type: ignore[no-any-return]


@sampled(1)
@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("turns: 6", "turns: 7"),
        ("goal: B4", "goal: B3"),
        ("order: [north, south]", "order: [south, north]\nset_up: [north, south]"),
        ("{cart: 2}", "{cart: 3}"),
    ],
)
def test_the_changed_line_of_the_card_is_named(was: str, now: str, toy: Path, capsys: Capture) -> None:
    commit(toy)
    [failure] = found("test", toy, was, now, capsys)["failures"]
    [cause] = failure["causes"]
    assert cause["known"] == "changed"
    assert cause["file"].endswith("field.yaml")
    assert now.partition("\n")[0] in (toy / "field.yaml").read_text().splitlines()[cause["line"] - 1]


SPECIAL = """
special: |
  rule few-carts [house] "No unit enters a hex in which {number} units or more stand."
    may_enter forbidden
    when count(u in unit at to) >= 3
"""


@sampled(1)
@pytest.mark.parametrize(("number", "codes"), [("three", []), ("four", ["R0541"])])
def test_the_sentence_of_a_special_rule_is_compared_with_its_law(
    number: str, codes: list[str], toy: Path, capsys: Capture
) -> None:
    with (toy / "field.yaml").open("a") as file:
        file.write(SPECIAL.format(number=number))
    run(["check", str(toy), "--format", "json", "--alone"])
    diagnostics = json.loads(capsys.readouterr().out)["diagnostics"]
    assert [each["code"] for each in diagnostics] == codes
    assert all(
        each["message"].startswith("the sentence of `few-carts` says `four units or more`") for each in diagnostics
    )
