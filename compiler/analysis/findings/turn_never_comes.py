"""Turns that a fact of a card lists and the game does not have: it ends before them.

In: the stack of a card. Out: findings. Only facts that rules and procedures use for nothing but `game.turn in FACT`
and `game.turn = FACT` are examined: others are not known to be turns.
"""

from collections.abc import Iterator

from compiler.analysis.checks import check_of_card
from compiler.analysis.parties import Party, party_label
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence, list_words
from runtime.graph import nodes as graph
from runtime.graph.walk import nodes_of, walk


@finding("R0706", "turn-never-comes", WARNING)
class TurnNeverComes(Finding):
    """A `fact` of a `card` lists turns that are not among its `turns`."""

    card: Party
    fact: str
    absent: tuple[str, ...]
    turns: int

    def sentence(self) -> Sentence:
        return Sentence(
            (
                f"`{self.fact}` of `{self.card.label}` lists turn{'s' if self.absent[1:] else ''} "
                f"{list_words(self.absent, 'and')}, but the last turn is {self.turns}"
            ),
            (party_label(self.card, "here"),),
            f"correct `{self.fact}`, or `turns`",
        )


_TURN_IN_PLAY = graph.GameTrack("game", "turn")


@check_of_card
def turn_never_comes(stack: graph.Graph) -> Iterator[TurnNeverComes]:
    """Find such turns, in the order of the facts."""
    card = stack.scenario
    if card is None:
        return
    lines = dict(card.lines)
    for fact, value in card.facts:
        found = sorted({node.value for node in nodes_of(graph.Num, value) if not node.measure})
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
        compared += node in (graph.Op("in", (_TURN_IN_PLAY, track)), graph.Op("=", (_TURN_IN_PLAY, track)))
    return 0 < compared == uses
