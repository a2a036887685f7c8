"""Turns that a fact of a card lists and the game does not have: it ends before them.

In: the stack of a card. Out: findings. Only facts that rules and procedures use for nothing but `game.turn in FACT`
and `game.turn = FACT` are examined: others are not known to be turns.
"""

from collections.abc import Iterator

from compiler.analysis.omissions import TurnNeverComes
from compiler.analysis.parties import Party
from runtime.graph import nodes as graph
from runtime.graph.walk import walk

TURN_IN_PLAY = graph.GameTrack("game", "turn")


def turn_never_comes(stack: graph.Graph) -> Iterator[TurnNeverComes]:
    """Find such turns, in the order of the facts."""
    card = stack.scenario
    if card is None:
        return
    lines = dict(card.lines)
    for fact, value in card.facts:
        found = sorted({node.value for node in walk(value) if isinstance(node, graph.Num) and not node.measure})
        absent = tuple(str(turn) for turn in found if not 1 <= turn <= card.turns)
        # Rules are traversed only where a number exceeds the turns: the result then depends only on those rules.
        if absent and _is_of_turns(stack, fact):
            party = Party(card.name, "", card.cites, lines.get(fact, card.origin))
            yield TurnNeverComes(party, fact.removeprefix("scenario."), absent, card.turns)


def _is_of_turns(stack: graph.Graph, fact: str) -> bool:
    """Return whether each use of a fact compares it with the turn, and there is a use."""
    track = graph.GameTrack("scenario", fact.removeprefix("scenario."))
    parts = (stack.rules, stack.terms, stack.procedures, stack.always, stack.preconditions)
    uses = compared = 0
    for node in walk(parts):
        uses += node == track
        compared += node in (graph.Op("in", (TURN_IN_PLAY, track)), graph.Op("=", (TURN_IN_PLAY, track)))
    return 0 < compared == uses
