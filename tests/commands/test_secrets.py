"""What is secret to a side is told to no other: by questions, and by records of games."""

import json
from pathlib import Path

import pytest

from rulewright.explain.position_questions import UMPIRE, set_up_file
from rulewright.library.stacks import open_packages
from rulewright.serve.cli.app import run
from runtime.answer.answer_memo import AnswerMemo
from runtime.answer.interpreter import Interpreter
from runtime.answer.secrecy import secrets_behind
from runtime.state.position import State
from runtime.state.visibility import view_of_side

Capture = pytest.CaptureFixture[str]

POSITION = """\
position: cards
stack: two_clans
board: {spaces: {A: pasture, B: {}, C: {}}, connections: [A-B-C]}
pieces:
  - {name: P, type: band, side: ash, at: A, strength: 1}
records:
  held:
    - {by: ash, card: ford}
    - {by: birch, card: frost}
"""
ANSWERED = {
    "P.hex": {"", "ash", "birch", "umpire"},
    "hand(ash)": {"ash", "umpire"},
    "hand(birch)": {"birch", "umpire"},
    "frost in hand(birch)": {"birch", "umpire"},
    # Whatever the others hold, this is so for who holds it.
    "some(h in all held where h.card = frost)": {"birch", "umpire"},
    "deck()": {"umpire"},
    "count(all held)": {"umpire"},
    # Of sets of cards only some change the answer.
    "count(hand(ash)) = 2": {"ash", "umpire"},
    "hand(birch) = {drive, market, frost}": {"birch", "umpire"},
    # The reasons would tell a card of the other side.
    "count(hand(ash)) >= 0 and not (frost in hand(ash))": {"ash", "umpire"},
}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Write a position in which both clans hold a card."""
    (tmp_path / "cards.yaml").write_text(POSITION)
    return tmp_path / "cards.yaml"


@pytest.mark.parametrize("question", ANSWERED)
def test_a_question_that_hangs_on_a_secret_is_answered_for_a_side_or_refused(
    question: str, place: Path, capsys: Capture
) -> None:
    for reader in ("", "ash", "birch", "umpire"):
        command = ["ask", "two_clans", "-p", str(place), question, *(["--as", reader] if reader else [])]
        answered = reader in ANSWERED[question]
        assert run(command) == (0 if answered else 2), (question, reader)
        printed = capsys.readouterr()
        assert ("hangs on the secret `held`" in printed.err) is not answered
        if not answered:
            assert not printed.out


def test_without_secrets_in_a_position_nobody_has_to_be_named(place: Path, capsys: Capture) -> None:
    place.write_text(POSITION.partition("records:")[0])
    assert run(["ask", "two_clans", "-p", str(place), "hand(birch)"]) == 0
    # For a side that there are no cards is a secret of the others as well.
    assert run(["ask", "two_clans", "-p", str(place), "hand(birch)", "--as", "ash"]) == 2
    assert "hangs on the secret `held`" in capsys.readouterr().err


def test_whether_a_question_hangs_on_a_secret_does_not_depend_on_the_secret(place: Path) -> None:
    """Otherwise a refusal, or an answer, would tell it."""
    stack = open_packages(()).compiled("two_clans")
    answers = Interpreter(stack.rules, memo=AnswerMemo(stack.rules))
    found = []

    def hand(state: State) -> object:
        return answers.ask(state, "hand", ("birch",)).value

    for card in ("frost", "drive"):
        place.write_text(POSITION.replace("card: frost", f"card: {card}"))
        state = set_up_file(stack, place, side=UMPIRE).state
        assert state
        assert hand(state) == (card,)
        view = view_of_side(state, "ash")
        assert hand(view) == (), "what was answered before is not known to the other side"
        found.append(secrets_behind(answers, view, "ash", hand))
    assert found == [["held"], ["held"]]


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Record a game of two clans with their cards."""
    file = tmp_path_factory.mktemp("games") / "winter.jsonl"
    assert run(["play", "before_winter", "--seed", "5", "--record", str(file)]) == 0
    return file


def test_a_record_for_a_side_has_nothing_of_the_choices_of_the_other(game: Path, capsys: Capture) -> None:
    capsys.readouterr()
    assert run(["replay", str(game), "--as", "ash"]) == 0
    printed = capsys.readouterr().out
    assert run(["replay", str(game), "--as", "ash", "--format", "json"]) == 0
    record_text = capsys.readouterr().out
    record = json.loads(record_text)
    assert set(record) == {"as", "stack", "scenario", "players", "log", "choices", "result"}
    assert all(line in printed for line in record["log"])
    lines = [json.loads(line) for line in game.read_text().splitlines()]
    heading, *choices = [line for line in lines if line["what"] in ("heading", "choice")]
    assert heading["hash"] not in record_text
    assert {each["state"] for each in choices}.isdisjoint(record_text.split('"'))
    assert [each["side"] for each in record["choices"]] == [each["side"] for each in choices]
    for written, told_choice in zip(choices, record["choices"], strict=True):
        expected = {"step", "turn", "side"} | ({"question", "choice"} if written["side"] == "ash" else set())
        assert set(told_choice) == expected
        assert written["side"] != "ash" or told_choice["choice"] == written["label"]
    assert any(each["side"] == "birch" for each in choices)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--as", "elm"], "there is no side `elm`"),
        (["--as", "ash", "--rules", "two_clans"], "`--as` and `--rules` exclude each other"),
    ],
)
def test_a_record_is_for_one_side(game: Path, options: list[str], message: str, capsys: Capture) -> None:
    assert run(["replay", str(game), *options]) == 2
    assert message in capsys.readouterr().err


def test_a_game_that_has_changed_tells_a_side_nothing(game: Path, capsys: Capture) -> None:
    changed = game.parent / "changed.jsonl"
    lines = game.read_text().splitlines()
    number = next(n for n, line in enumerate(lines) if '"what":"choice"' in line and '"side":"birch"' in line)
    choice = json.loads(lines[number])
    lines[number] = json.dumps({**choice, "label": "another"})
    changed.write_text("\n".join(lines) + "\n")
    assert run(["replay", str(changed), "--as", "ash"]) == 2
    error = capsys.readouterr().err
    assert "this is no longer the recorded game" in error
    assert "another" not in error
    assert choice["label"] not in error


def test_words_are_answered_without_the_secrets_of_any_side(place: Path, capsys: Capture) -> None:
    for card in ("frost", "drive"):
        place.write_text(POSITION.replace("card: frost", f"card: {card}"))
        assert run(["ask", "two_clans", "-p", str(place), "what can P do"]) == 0
    first, second = capsys.readouterr().out.split("The secrets of sides are left out: `--as SIDE`")[:2]
    assert first.strip()
    assert first.strip() in second
