"""Refusals: an open option has no obstacle, any other has one, with the rules behind it."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from rulewright.explain.decision_state import enter_phase
from rulewright.explain.option_lines import decision_question
from rulewright.explain.position_questions import set_up_file
from rulewright.explain.why_not import explain_refusals, refusal_explanation, without_stop_words
from rulewright.games.scenarios import game_of, load_scenario
from rulewright.library.stacks import load_stack
from runtime.graph import nodes as graph
from runtime.graph.document_text import blocks_text
from runtime.play.game import Game
from runtime.play.labels import option_labels
from runtime.play.options import PICK, Decision
from runtime.play.playthrough import Playthrough
from runtime.play.refusal import find_refusals
from runtime.players.player import choose_option, seat_players
from runtime.players.player_names import PLAYERS
from tests.sample import sampled
from tests.table.small_positions import position


@cache
def tide() -> Game:
    rules = load_scenario("before_the_tide", None).graph
    assert rules is not None
    return game_of(rules)


def decisions(seed: str, player: str = "random") -> list[tuple[Playthrough, Decision]]:
    """Play a game; return each decision with a copy of the playthrough."""
    game = tide()
    playthrough = game.start(seed)
    seats = seat_players(dict.fromkeys(("north", "south"), PLAYERS[player]), seed)
    seen = []
    while isinstance(now := game.advance(playthrough), Decision):
        seen.append((playthrough.copy(), now))
        game.apply(playthrough, now, choose_option(game, playthrough, now, seats))
    return seen


def explained(game: Game, playthrough: Playthrough, question: Sequence[str], side: str) -> str:
    return blocks_text(refusal_explanation(game, playthrough, question, side))


def refusal_text(playthrough: Playthrough, *question: str) -> str:
    return explained(tide(), playthrough, question, playthrough.state.player)


def test_a_sentence_is_asked_by_its_names() -> None:
    playthrough, _ = decisions("1")[0]
    name, place = playthrough.state.sheets[0].name, playthrough.state.board.names[-1]
    for sentence in (f"can {name} not walk {place}", f"may not {name} take one step to {place}"):
        found = without_stop_words(tide(), playthrough.state, sentence.split())
        assert found[0] == name
        assert found[-1] == place
        assert not {"can", "may", "not", "to"}.intersection(found)
    assert without_stop_words(tide(), playthrough.state, ["take", "one", "step", name]) == ["walk", name]


@sampled(1)
@pytest.mark.parametrize("seed", ["1", "2"])
def test_an_option_has_an_obstacle_exactly_if_it_is_not_open(seed: str) -> None:
    question_count = 0
    for playthrough, now in decisions(seed):
        state = playthrough.state
        if not isinstance(now.member, graph.Hex | graph.Piece):
            continue
        names = state.board.names if isinstance(now.member, graph.Hex) else [sheet.name for sheet in state.sheets]
        choose = {
            name
            for name, o in zip(option_labels(state, tide().programs.entries, now), now.options, strict=True)
            if o.kind == PICK
        }
        for name in names:
            (found,) = find_refusals(tide(), playthrough, [name])
            assert (found.reason == "") == (name in choose), (name, found.reason)
            question_count += 1
    assert question_count > 500


def test_refusals_name_the_rule_and_its_citation() -> None:
    playthrough, _ = next((c, d) for c, d in decisions("1") if d.question.startswith("offer"))
    explanation = refusal_text(playthrough, "elder-1.1", "A1")
    assert explanation.startswith("No. ")
    assert "(take one step)" in explanation
    assert "A1 is not next to elder-1.1's hex" in explanation
    assert (
        "elder-2.1 belongs to the southers, not the northers" in refusal_text(playthrough, "walk", "elder-2.1").lower()
    )
    closed = [
        refusal_text(playthrough, playthrough.state.board.names[h])
        for playthrough, now in decisions("1")
        if now.question == "walk.to"
        for h in playthrough.state.board.around[playthrough.state.hex[playthrough.calls[-1].names["w"]]]
        if h not in {option.value for option in now.options}
    ]
    assert closed
    assert all(": LT." in explanation for explanation in closed), closed


def test_unknown_words_and_actions_are_refused_with_a_reason() -> None:
    playthrough, _ = decisions("1")[0]
    assert "`Z99` is no hex, no piece and no action" in refusal_text(playthrough, "elder-1.1", "Z99")
    assert "`xyzzy` is no hex, no piece and no action" in refusal_text(playthrough, "elder-1.1", "xyzzy")
    assert "`land` is not offered now" in refusal_text(
        playthrough, "land"
    ).lower() or "nothing to choose" in refusal_text(playthrough, "land")


def test_an_unused_word_is_not_reported_as_open() -> None:
    playthrough, _ = decisions("1")[0]
    explanation = refusal_text(playthrough, "elder-1.1", "B3", "C3")
    assert "is open" not in explanation
    assert "C3" in explanation


@cache
def ford() -> tuple[Game, Playthrough]:
    """Return a game at a decision where one side may fire, with a piece that has no target in reach."""
    rules = load_scenario("hazel_ford", None).graph
    assert rules is not None
    game = game_of(rules)
    playthrough = game.start("3")
    seats = seat_players(dict.fromkeys(("axis", "allied"), PLAYERS["greedy"]), "3")
    while isinstance(now := game.advance(playthrough), Decision) and "fire" not in now.question:
        game.apply(playthrough, now, choose_option(game, playthrough, now, seats))
    return game, playthrough


@pytest.mark.parametrize("question", ["lead guard_1", "guard_1 lead", "0604 lead", "fire guard_1 lead"])
def test_actor_and_target_are_read_in_any_order(question: str) -> None:
    game, playthrough = ford()
    message = explained(game, playthrough, question.split(), "axis")
    assert message.startswith("No. Lead may not attack 0604 by direct fire. (one unit fires at one enemy in range)")
    assert "[spotted-first: " in message


def test_obstacles_of_other_targets_are_not_reported() -> None:
    game, playthrough = ford()
    state = playthrough.state
    own_pieces = [
        sheet.name for piece, sheet in enumerate(state.sheets) if state.hex[piece] >= 0 and sheet.side == "axis"
    ]
    foes = [sheet.name for sheet in state.sheets if sheet.side != "axis"]
    empty = [name for at, name in enumerate(state.board.names) if at not in state.hex]
    for piece in own_pieces[:3]:
        for place in empty[:10]:
            found = find_refusals(game, playthrough, [piece, place])
            reports = [
                *(each.reason for each in found if each.unused_words),
                *(block.title for block in refusal_explanation(game, playthrough, [piece, place], "axis")),
            ]
            assert not [(why, foe) for why in reports for foe in foes if foe in why]
            assert any(place in why for why in reports)


def test_the_order_of_piece_and_hex_does_not_matter() -> None:
    playthrough, _ = next((c, d) for c, d in decisions("1") if d.question.startswith("offer"))
    assert refusal_text(playthrough, "elder-1.1", "A1") == refusal_text(playthrough, "A1", "elder-1.1")


def test_an_action_of_another_offer_is_refused_by_its_title() -> None:
    game, playthrough = ford()
    message = explained(game, playthrough, ["snap_shot", "lead"], "axis")
    assert message == "Opportunity fire at a unit that moves is not offered now."


def test_a_choice_with_a_name_of_one_letter_is_called_by_its_type() -> None:
    rules = load_scenario("before_winter", None).graph
    assert rules
    game = game_of(rules)
    playthrough = game.start("1")
    decision = game.advance(playthrough)
    assert isinstance(decision, Decision)
    assert decision_question(game, playthrough, decision).endswith(": choose card")
    assert "The card cannot be guard-1.1." in explained(game, playthrough, ["guard-1.1"], decision.side)


def test_a_named_piece_is_not_another_one_at_the_place() -> None:
    """T could go from B to A, where H is; that is no answer to whether H may go on to B."""
    stack = load_stack("panzer_leader", [])
    state = set_up_file(stack, Path(__file__).parents[2] / "docs" / "positions" / "crowded-road.yaml").state
    assert state is not None
    game = game_of(state.graph)
    playthrough = enter_phase(game, state, "movement", "allied").playthrough
    for question in (["advance", "H", "B"], ["H", "B"]):
        assert "No. H may not enter B from A. (go on)" in explained(game, playthrough, question, "allied")


def test_all_failing_conditions_are_named_and_no_condition_that_means_nothing(tmp_path: Path) -> None:
    """A target that is hidden and too far is both; that a unit of one's own side is near enough is no matter."""
    file = tmp_path / "far.yaml"
    file.write_text(
        "position: far\nstack: panzer_grenadier\ngame: {turn: 3, player: allied, phase: action}\n"
        "board: {rows: [[A, B, C, D, E, F]]}\npieces:\n"
        "  - {name: T, type: truck, side: allied, at: A, demoralized: yes, fired: yes}\n"
        "  - {name: W, type: rifle, side: allied, at: B}\n  - {name: R, type: rifle, side: axis, at: F, hidden: yes}\n"
    )
    state = set_up_file(load_stack("panzer_grenadier", []), file).state
    assert state is not None
    game = game_of(state.graph)
    playthrough = enter_phase(game, state, "action", "allied").playthrough
    assert explained(game, playthrough, ["fire", "W", "R"], "allied").splitlines() == [
        "No. R is hidden. (one unit fires at one enemy in range)",
        "  Besides: The distance from W's hex to R's hex is 4 hexes, more than W's range, which is 3 hexes.",
    ]
    (refused,) = refusal_explanation(game, playthrough, ["fire", "W", "T"], "allied")
    assert refused.title == "No. T belongs to the Allies."
    found = explained(game, playthrough, ["fire", "T", "R"], "allied")
    assert "[shaken-hold-back: " in found
    assert [line for line in found.splitlines() if "Besides" in line] == [
        "  Besides: R is hidden.",
        "  Besides: The distance from T's hex to R's hex is 5 hexes, more than T's range, which is 0 hexes.",
    ]


@pytest.mark.parametrize(
    ("foe", "place", "reason"),
    [
        ("T", "C", "P's hex is not next to C."),
        ("R", "E", "E: there is no army among the armies of the Column that can attack R's hex."),
    ],
)
def test_an_attack_is_at_the_foe_named_by_itself_or_its_place(
    foe: str, place: str, reason: str, tmp_path: Path
) -> None:
    """The attacker is no place, though the action lets choose a hex first; whoever is named first."""
    text = position(
        "long_frost",
        "turn: 1, player: raiders, phase: combat",
        ["A, B, C, D, E"],
        ["P: panzers at A", "F: foot at B", "T: tanks at C", "R: rifles at E"],
    )
    file = tmp_path / "position.yaml"
    file.write_text(text, encoding="utf-8")
    state = set_up_file(load_stack("long_frost", ()), file).state
    assert state
    game = game_of(state.graph)
    playthrough = enter_phase(game, state, "combat", "raiders").playthrough

    def lines(*words: str) -> tuple[str, ...]:
        blocks = explain_refusals(game, playthrough, ["attack", *words], "raiders").blocks(game.graph)
        return tuple(block.title for block in blocks)

    [refusal] = lines("P", foe)
    assert refusal == f"No. {reason}"
    assert {lines(foe, "P"), lines("P", place), lines(place, "P")} == {(refusal,)}
    assert len({lines("F", foe), lines(foe, "F"), lines("F", place), lines(place, "F")}) == 1
