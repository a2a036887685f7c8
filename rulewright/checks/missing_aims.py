"""Find the sides of a situation whose greedy players have no aim (runtime/players/aims)."""

from collections.abc import Iterator

from compiler.analysis.findings.no_aim import NoAim
from compiler.analysis.parties import named_party
from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.generated_dependencies import Dependencies, dependencies_of
from runtime.graph import nodes as graph
from runtime.play.game import Game
from runtime.players.aims.aim_targets import aims_of


def missing_aims_in(rules: graph.Graph) -> tuple[tuple[NoAim, ...], Dependencies]:
    """Return the finding of a situation that has its boards, with the dependencies of the search for aims."""
    evaluator, card = GeneratedEvaluator(rules, is_traced=True), rules.scenario
    is_ready = card is None or not card.waits_for
    sides = tuple(_sides_without_aim(Game(rules, evaluator))) if is_ready else ()
    found = (NoAim(named_party(card), sides),) if sides and card else ()
    return found, dependencies_of(evaluator)


def _sides_without_aim(game: Game) -> Iterator[str]:
    """Yield the sides with pieces, in a game with a winner, that have no aim though none is denied to them."""
    if not game.graph.outcome or any(aim.reason for aim in game.graph.aims):
        return
    aims = aims_of(game)
    for side, targets in aims.targets.items():
        has_pieces = any(piece_group.side == side for piece_group in aims.probe.pieces)
        if has_pieces and not targets:
            yield side
