"""Actions that move along a whole path.

Refusals of far hexes, words for earlier choices, and signs of crowded hexes.
"""

from functools import cache
from pathlib import Path

from rulewright.explain.open_option_blocks import reach_blocks
from rulewright.explain.option_words import without_chosen
from rulewright.explain.position_questions import ask_about_position
from rulewright.explain.why_not import refusal_explanation
from rulewright.games.scenarios import game_of, load_scenario
from rulewright.library.stacks import load_stack
from runtime.play.game import Game
from runtime.play.labels import option_labels
from runtime.play.options import Decision
from runtime.play.playthrough import Playthrough

FAR = "the cheapest way, C6, C7, D7, E8, F8, G9, H9, I10, J10, K11, costs 12 movement points"


@cache
def _snow() -> Game:
    graph = load_scenario("first_snow", None).graph
    assert graph is not None
    return game_of(graph)


def _choosing() -> tuple[Playthrough, Decision]:
    """Start a march with a piece, and return the decision about its hex."""
    playthrough = _snow().start("3")
    for label in ("march", "foot-1.1"):
        now = _snow().advance(playthrough)
        assert isinstance(now, Decision)
        labels = option_labels(playthrough.state, _snow().programs.entries, now)
        if label in labels:
            _snow().apply(playthrough, now, labels.index(label))
    now = _snow().advance(playthrough)
    assert isinstance(now, Decision)
    return playthrough, now


def test_a_far_hex_is_refused_with_the_cost_of_the_cheapest_path() -> None:
    playthrough = _snow().start("3")
    now = _snow().advance(playthrough)
    assert isinstance(now, Decision)
    assert list(reach_blocks(_snow(), playthrough, now.side, ["foot-1.1", "K11"])) == []
    blocks = refusal_explanation(_snow(), playthrough, ["foot-1.1", "K11"], now.side)
    assert any(FAR in block.title for block in blocks)


def test_words_of_earlier_choices_are_skipped() -> None:
    playthrough, now = _choosing()
    assert now.question.endswith(".to"), now.question
    assert without_chosen(_snow(), playthrough, ["march", "foot-1.1", "K11"]) == ["K11"]


def test_why_a_hex_is_not_in_a_reachable_set(tmp_path: Path) -> None:
    position = tmp_path / "far.yaml"
    position.write_text(
        "position: far\nstack: long_frost\nboard: {rows: [[A, B, C, D, E, F, G]]}\n"
        "pieces: [{name: P, type: foot, side: raiders, at: A}]\n"
    )
    reasons = ask_about_position(load_stack("long_frost"), position, "G in reach(P)", depth=0).answer
    assert reasons is not None
    assert "The cheapest way, A, B, C, D, E, F, G, costs 6 movement points." in reasons.text
