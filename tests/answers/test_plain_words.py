"""`ask` in plain words lists places of the book, answers several questions at once, and suggests names."""

from pathlib import Path

import pytest

from rulewright.serve.cli.app import run
from rulewright.system.errors import suggestion_text
from tests.sample import sampled

POSITION = Path(__file__).parents[2] / "docs" / "positions" / "crowded-road.yaml"


@sampled(0)
def test_plain_words_list_matching_places_of_the_book(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ask", "panzer_leader", "may a half-track use the road with three units ahead?"]) == 0
    output = capsys.readouterr().out
    assert "Road rate and three units or wrecks ahead (rule)" in output
    assert run(["ask", "panzer_leader", "qwxyz vwxyz"]) == 2
    assert "nothing in the book" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("word", "found"),
    [("Overrun?", "Who may overrun (rule)"), ("8.33", "No attack after unloading")],
)
def test_a_single_word_or_number_without_a_position_is_looked_up_in_the_book(
    word: str, found: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["ask", "panzer_leader", word]) == 0
    assert found in capsys.readouterr().out


def test_the_name_of_a_term_is_reported_with_its_parameters(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ask", "panzer_leader", "may_use_road"]) == 2
    assert "`may_use_road(mover, from, to, intent)` is asked about a position" in capsys.readouterr().err


def test_several_questions_are_answered_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    questions = ["may_use_road(H, A, B, march)", "others(H, B)"]
    assert run(["ask", "panzer_leader", "-p", str(POSITION), *questions]) == 0
    output = capsys.readouterr().out
    assert output.index("may not take the road rate") < output.index(
        "The number of other units and wrecks in B is 3.\n"
    )
    assert run(["ask", "panzer_leader", questions[0]]) == 2
    assert "name its file with -p" in capsys.readouterr().err


def test_an_error_of_the_position_is_reported_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "broken.yaml"
    broken.write_text(POSITION.read_text(encoding="utf-8").replace("type: m3", "type: m33", 1), encoding="utf-8")
    questions = ["may_use_road(H, A, B, march)", "others(H, B)", "can H go to B"]
    assert run(["ask", "panzer_leader", "-p", str(broken), *questions]) == 1
    assert capsys.readouterr().out.count("m33") == 2, "in the message and in the quoted line"


def test_an_expression_about_a_position_is_evaluated(capsys: pytest.CaptureFixture[str]) -> None:
    for question, answer in (
        ("P is dispersed", "Yes. P is dispersed."),
        ("H has carrier", "No. H has no carrier."),
        ("2 - 1", "2 minus 1 is 1."),
    ):
        assert run(["ask", "panzer_leader", "-p", str(POSITION), question]) == 0
        assert capsys.readouterr().out.strip() == answer
    assert run(["ask", "panzer_leader", "-p", str(POSITION), "road rate"]) == 0
    assert "places:" in capsys.readouterr().out


def test_a_part_of_a_name_is_suggested() -> None:
    known = ["bridge_at_millbrook", "hazel_ford", "two_valleys"]
    assert suggestion_text("bridge", known) == "did you mean `bridge_at_millbrook`?"
    assert suggestion_text("valleys", known) == "did you mean `two_valleys`?"
    assert "there are" in suggestion_text("zz", known)


def test_a_default_on_a_scale_is_a_place_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    shot = "attack(form: direct, by: allied, hex: C, firers: {}, targets: {P})"
    assert run(["ask", "panzer_leader", "-p", str(POSITION), f"column({shot}, chosen)"]) == 0
    assert "are 6 odds columns below 1-4.\n  No rule says otherwise." in capsys.readouterr().out
