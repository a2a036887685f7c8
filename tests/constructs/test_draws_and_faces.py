"""Draws are uniform, depend on the seed, stay secret and are replayed; a flipped piece has the values of its back."""

from collections import Counter
from pathlib import Path

import pytest

from rulewright.explain.journal_text import events_text
from rulewright.library.stacks import open_packages
from runtime.answer.generate import GeneratedEvaluator
from runtime.experiment.game_outcome import steps_lost
from runtime.graph import nodes as graph
from runtime.play.game import Game
from runtime.play.options import Decision
from runtime.play.playthrough import Playthrough
from runtime.play.rule_faults import BrokenRules
from runtime.players.player import as_seen
from runtime.state import change
from runtime.state.setup import from_position
from tests.constructs.test_constructs import rules as constructs

RULES = constructs()
GAME = Game(RULES, GeneratedEvaluator(RULES))
POSITIONS = {example.title: example.position for example in RULES.examples}


def after_actions(title: str, seed: str, *actions: str) -> Playthrough:
    """Execute actions without choices one after the other, from the position of an example."""
    playthrough = GAME.start(seed, from_position(RULES, POSITIONS[title]))
    playthrough.calls.clear()
    for action in actions:
        playthrough.calls.append(GAME.frame(f"action:{action}", {"player": "red"}))
        while playthrough.calls:
            decision = GAME.run(playthrough)
            assert decision is None
    return playthrough


def ranks(playthrough: Playthrough) -> tuple[int, ...]:
    """Return the ranks that a shuffle gave."""
    return tuple(playthrough.state.track("ring.rank", piece) for piece in playthrough.state.of_kind["ring"])


def test_every_order_of_a_shuffle_occurs_a_tenth_of_the_time() -> None:
    found = Counter(ranks(after_actions("in random order", str(seed), "shuffle_all")) for seed in range(600))
    assert sorted(found) == [(1, 2, 3), (1, 3, 2), (2, 1, 3), (2, 3, 1), (3, 1, 2), (3, 2, 1)]
    assert min(found.values()) > 60


def test_a_draw_takes_each_member_once_and_stops_at_the_last() -> None:
    playthrough = after_actions("out of the bag", "1", "fill_up", "fill_up", "take_ring", "take_ring")
    held = [record.fields["ring"] for record in playthrough.state.records["held"]]
    assert sorted(held) == sorted(playthrough.state.of_kind["ring"])


def test_equal_seeds_draw_equal_members() -> None:
    first, second_draw, other = (
        after_actions("in random order", seed, "shuffle_all", "shuffle") for seed in ("5", "5", "6")
    )
    assert first.digest() == second_draw.digest()
    assert first.dice == second_draw.dice
    assert ranks(first) != ranks(other)


def test_a_secret_draw_is_hidden_from_the_other_side() -> None:
    playthrough = after_actions("out of the bag", "3", "take_ring")
    assert [die.domain for die in playthrough.dice] == [""]
    assert (
        len({die.value for seed in range(9) for die in after_actions("out of the bag", str(seed), "take_ring").dice})
        > 1
    )
    seen = {
        as_seen(GAME, after_actions("out of the bag", str(seed), "take_ring"), "blue").dice[0].value
        for seed in range(9)
    }
    assert seen == {0}
    assert as_seen(GAME, playthrough, "blue").state.records["held"] == ()
    assert events_text(playthrough, 0, 0) == []


NUMBERED_CARDS = """
side red, blue
domain card = 1..40
record held secret {by: side, card: card}
resolution deal(of: side, many: 0..9) "Numbered cards, and one die for all to see." {
  draw any cards of many from all card
  for each c in cards { write held(by: of, card: c) }
  draw extra from all card
  write held(by: of, card: extra)
  roll d: 1..many + 1
}
sequence game { do deal(red, 2) }
example "dealt" { row A ask count(all held) = 0 }
"""


def test_a_numbered_card_is_hidden_and_a_die_of_computed_size_is_not(tmp_path: Path) -> None:
    (tmp_path / "layer.yaml").write_text("layer: numbered\ntitle: Numbered\nkind: base\nplayable: yes\ncites: house\n")
    (tmp_path / "numbered.rules").write_text(NUMBERED_CARDS)
    stack = open_packages((tmp_path,)).compiled("numbered")
    assert stack.graph is not None, stack.diagnostics
    game = Game(stack.graph, GeneratedEvaluator(stack.graph))
    playthrough = game.start("1", from_position(stack.graph, stack.graph.examples[0].position))
    game.advance(playthrough)
    cards, die = [each.value for each in playthrough.dice[:3]], playthrough.dice[3].value
    assert sorted(cards) == sorted(record.fields["card"] for record in playthrough.state.records["held"])
    assert events_text(playthrough, 0, 0) == [f"dice: {die}"]
    assert [each.value for each in as_seen(game, playthrough, "blue").dice] == [0, 0, 0, die]


def test_a_flip_changes_counter_and_values_and_can_be_undone() -> None:
    playthrough = GAME.start("1", from_position(RULES, POSITIONS["face by face"]))
    state, before = playthrough.state, playthrough.digest()
    piece = state.of_kind["coin"][0]
    event = change.flip(state, piece, to="back")
    assert (state.sheets[piece].counter, state.printed[piece]["worth"], state.traits[piece]) == (
        "clipped_coin", 3, frozenset()
    )  # fmt: skip
    assert state.sheets[piece].name == "W"
    assert playthrough.digest() != before
    assert steps_lost(state, piece) == 1
    change.undo(state, event)
    assert playthrough.digest() == before
    assert steps_lost(state, piece) == 0
    change.redo(state, event)
    change.remove(state, piece)
    assert steps_lost(state, piece) == 3


@pytest.mark.parametrize("title", ["face by face", "to and fro"])
def test_memoized_decisions_after_a_flip_equal_those_of_a_copy(title: str) -> None:
    for seed in range(6):
        playthrough = GAME.start(str(seed), from_position(RULES, POSITIONS[title]))
        for number in range(40):
            afresh = playthrough.copy()
            decision = GAME.advance(playthrough)
            assert GAME.advance(afresh) == decision
            if not isinstance(decision, Decision):
                break
            flipping = [at for at, each in enumerate(decision.options) if each.name in ("pay", "toss", "c")]
            likely = flipping or [at for at, each in enumerate(decision.options) if each.name != "draw"]
            GAME.apply(playthrough, decision, likely[(number + seed) % len(likely)])


def test_a_flip_without_a_back_is_an_error() -> None:
    playthrough = after_actions("to and fro", "1")
    worn = next(piece for piece, sheet in enumerate(playthrough.state.sheets) if sheet.counter == "worn_coin")
    code = GAME.programs.entries["action:toss"].steps
    flips = next(at for at, step in enumerate(code) if isinstance(step, graph.Flip))
    playthrough.calls.append(GAME.frame("action:toss", {"player": "red", "c": worn}, flips))
    with pytest.raises(BrokenRules, match="C is turned to its back and has none"):
        GAME.run(playthrough)
