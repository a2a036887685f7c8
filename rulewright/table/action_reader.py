"""The action that plain words mean, among those that they name: the one that fits the named things best.

In: a game, a state, a `PlainQuery` and the actions that it names. Out: one of them, with why it is refused.
"""

from collections.abc import Sequence
from typing import NamedTuple

from compiler.rulebook.index.stems import stems
from rulewright.table.decision_state import OfferMoment
from rulewright.table.named_actions import BY_VERB, NamedAction, action_words
from rulewright.table.names_in_words import related_pieces
from rulewright.table.plain_query import PlainQuery
from rulewright.table.refusal_lines import WhyNot, explain_refusals
from runtime.graph import nodes as graph
from runtime.play.game import Game
from runtime.state.position import State

# How well an action answers a query: it takes all names, or some, and is open or refused by a question of the rules; it
# is refused by something else, as the edge of the map; or it is about something else.
COMPLETE, PARTIAL, SITUATION, NO_ANSWER = range(4)


class ExplainedAction(NamedTuple):
    """An action that a query may mean, and when; why it is refused for names, or by which actions it is open."""

    moment: OfferMoment
    action: NamedAction
    why: WhyNot = WhyNot((), ())
    names: Sequence[str] = ()

    @property
    def takes_all(self) -> bool:
        """Return whether it takes all names."""
        return bool(self.why.open) or any(not each.unused_words for each in self.why.refusals)

    def fit(self, name_count: int) -> int:
        """Return how well it answers. Some words of a search phrase name it for all names only."""
        if self.why.open or any(each.explanation for each in self.why.reasons):
            partial = PARTIAL if self.action.how else NO_ANSWER
            return COMPLETE if self.takes_all else partial
        is_complete = self.takes_all and any(each.bound_word_count >= name_count for each in self.why.refusals)
        is_conditional = any(each.failing for each in self.why.refusals)
        return SITUATION if is_complete or is_conditional else NO_ANSWER

    @property
    def progress(self) -> int:
        """Return how far it gets until it is refused."""
        return max((each.match_score for each in self.why.refusals), default=0)


class ActionReader:
    """A reader of the actions that a query names."""

    def __init__(self, game: Game, state: State, query: PlainQuery) -> None:
        self.game, self.state, self.query = game, state, query

    def best(self, actions: Sequence[ExplainedAction], names: Sequence[str]) -> ExplainedAction | None:
        """Return the action that fits the names best, in the turn that is meant, by most words, an open one.

        If it does not answer, the only one with so many words is meant nevertheless.
        """

        def rank(each: ExplainedAction) -> tuple[int, ...]:
            fit, action = each.fit(len(names)), each.action
            is_other_turn = self.query.during_other_act == (each.moment.active == each.moment.side)
            by_words = -len(action.stems & self.query.topics), action.how < BY_VERB
            by_fit = fit == SITUATION, is_other_turn, fit, -action.how, not each.why.open, -each.progress
            return fit == NO_ANSWER, *by_words, *by_fit

        found = sorted((self._explained(each, names) for each in actions), key=rank)
        if found and found[0].fit(len(names)) == NO_ANSWER:
            is_clear = found[0].action.how and rank(found[0]) < min(map(rank, found[1:]), default=(True, 0, True))
            return found[0] if is_clear else None
        return found[0] if found else None

    def _explained(self, reading: ExplainedAction, names: Sequence[str]) -> ExplainedAction:
        """Explain an action with all names, or without those that are words of it: *the fort* in coming out of it.

        The place in which a named piece is need not be named, nor where it goes then (*tow G to B*). If an action takes
        a hex beside pieces, that of the last piece is meant, and not any. A piece stands for those that a relation ties
        to it, as what carries it, if the action is open with them.
        """
        members = self.game.programs.entries[f"action:{reading.action.name}"].members
        places = [self.state.hex[each] for each in self.pieces_of(names)[1:] if self.state.hex[each] >= 0]
        takes_pieces = sum(isinstance(each, graph.Piece) for each in members) > 1 and graph.Hex() in members
        placed = [*names, self.state.board.names[places[-1]]] if places and takes_pieces else names
        own_places = {self.state.board.names[self.state.hex[each]] for each in self.pieces_of(names)}
        fewer = [
            each
            for each in names
            if reading.action.stems.isdisjoint(self._stems_of(each))
            and each not in {*own_places, *self.query.destinations}
        ]
        found: list[ExplainedAction] = []
        for tried in filter(None, dict.fromkeys(map(tuple, (placed, names, fewer)))):
            found.append(self._refused(reading, tried))
            if found[-1].takes_all:
                break
        best = found[-1] if found[-1].takes_all else next(each for each in found if each.names == tuple(names))
        ties = {
            self.state.sheets[each].name
            for piece in self.pieces_of(names)
            for each in related_pieces(self.state, piece)
        }
        procedure = self.game.programs.entries[f"action:{reading.action.name}"].procedure
        types = [*members, *(each.type for each in procedure.parameters)]
        has_room = sum(isinstance(each, graph.Piece) for each in types) > len(self.pieces_of(names))
        partners = sorted(ties.difference(names)) if has_room else []
        others: list[list[str]] = [[*fewer, *partners]] if partners else []
        # What is acted on stands for its place, as the minefield that is cleared.
        if places and graph.Hex() in members and best.fit(len(names)) >= SITUATION:
            others.append([names[0], self.state.board.names[places[-1]]])
        for variant in others if not best.why.open else ():
            other = self._refused(reading, variant)
            if other.why.open or (len(variant) <= len(names) and other.fit(len(variant)) == COMPLETE):
                return other
        return best

    def _refused(self, reading: ExplainedAction, names: Sequence[str]) -> ExplainedAction:
        """Explain an action with names."""
        word_list = action_words(self.game, reading.moment, reading.action.name, names, self.query)
        why = explain_refusals(self.game, reading.moment.entered.playthrough, word_list, reading.moment.side)
        return reading._replace(why=why, names=tuple(names))

    def pieces_of(self, names: Sequence[str]) -> list[int]:
        """Return the pieces among names, in their order."""
        return [piece for name in names for piece in self.query.pieces if self.state.sheets[piece].name == name]

    def _stems_of(self, name: str) -> list[str]:
        """Return the stems of a name, and of the counter and the kind of a piece."""
        sheets = [each for each in self.state.sheets if each.name == name]
        return stems(" ".join([name, *(f"{each.counter} {each.kind}".replace("_", " ") for each in sheets)]))
