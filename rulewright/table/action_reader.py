"""The action that plain words mean, among those that they name: the one that fits the named things best.

In: a game, a state, a `PlainQuery` and the actions that it names. Out: one of them, with why it is refused.
"""

from collections.abc import Collection, Sequence
from enum import IntEnum
from typing import NamedTuple

from compiler.rulebook.index.stems import stems
from rulewright.table.decision_state import OfferMoment
from rulewright.table.named_actions import (
    BY_VERB,
    BY_WORDS,
    NamedAction,
    action_words,
)
from rulewright.table.names_in_words import related_pieces
from rulewright.table.plain_query import PlainQuery
from rulewright.table.refusal_lines import WhyNot, explain_refusals, named_by_no_record
from rulewright.table.roles import action_roles
from runtime.graph import nodes as graph
from runtime.play.game import Game
from runtime.state.position import State

# How well an action answers a query: it takes all names, or some, and is open or refused by a question of the rules; it
# is refused by something else, as the edge of the map; or it is about something else.
COMPLETE, PARTIAL, SITUATION, NO_ANSWER = range(4)
PAIR = 2


class PieceBinding(IntEnum):
    """What stands for a named piece in an action, the best first."""

    ITSELF = 0
    RECORD = 1  # also for a place
    PLACE = 2  # its place alone


class ActionReading(NamedTuple):
    """A reading of a query: an action, and when; why it is refused for names, or by which actions it is open.

    `takes_agent`: it lets choose pieces of the kind of the one that acts. `place_count`: for how many named pieces it
    takes their places, which no word names. `noted_count`: for how many places a record that it chooses stands.
    """

    moment: OfferMoment
    action: NamedAction
    why: WhyNot = WhyNot((), ())
    names: Sequence[str] = ()
    takes_agent: bool = True
    place_count: int = 0
    noted_count: int = 0
    stand_in: PieceBinding = PieceBinding.ITSELF

    @property
    def takes_all(self) -> bool:
        """Return whether it takes all names."""
        return bool(self.why.open) or any(not each.unused_words for each in self.why.refusals)

    @property
    def quality(self) -> int:
        """Return how well it answers. Some words of a search phrase name it for all names only."""
        is_explained = self.why.explained and not all(each.is_empty for each in self.why.refusals)
        if self.takes_agent and (self.why.open or is_explained):
            partial = PARTIAL if self.action.how else NO_ANSWER
            return COMPLETE if self.takes_all else partial
        is_complete = self.takes_all and any(each.bound_word_count >= len(self.names) for each in self.why.refusals)
        return SITUATION if is_complete or any(each.failing for each in self.why.refusals) else NO_ANSWER

    @property
    def progress(self) -> int:
        """Return how far the refused action gets with the words."""
        return max((each.bound_word_count + each.match_score for each in self.why.refusals), default=0)

    def sort_key(self, query: PlainQuery) -> tuple[int, ...]:
        """Return the sort key of readings of a query, the best first: by words, and then by the quality of the answer.

        An action in the turn that is meant comes before others, one with a verb before others, an open one before
        refused ones, and of these the one that gets farthest.
        """
        quality = self.quality
        is_other_turn = query.during_other_act == (self.moment.active == self.moment.side)
        # A record says what else belongs to the verb: *shell K*, as ordered.
        how = max(self.action.how, BY_VERB) if self.stand_in is PieceBinding.RECORD else self.action.how
        named = -len(self.action.stems & query.topics), how < BY_VERB
        last = -self.noted_count, -how, not self.why.open, self.place_count, -self.progress, self.stand_in
        return quality == NO_ANSWER, *named, quality == SITUATION, is_other_turn, quality, *last


class ActionReader:
    """A reader of the actions that a query names."""

    def __init__(self, game: Game, state: State, query: PlainQuery) -> None:
        self.game, self.state, self.query = game, state, query

    def best(self, actions: Sequence[ActionReading], names: Sequence[str]) -> ActionReading | None:
        """Return the reading of some names that comes first; if none answers, the only one with so many words."""
        found = sorted((self._bind(each, names) for each in actions), key=lambda each: each.sort_key(self.query))
        if found and found[0].quality == NO_ANSWER:
            first, *others = found
            # A rule that refuses another action of the same words says more: *enter D*, of a piece that may not move.
            wanted = first.action.stems & self.query.topics
            same = (each for each in found if each.action.stems & self.query.topics == wanted)
            ruled = [each for each in same if each.why.explained]
            if ruled and first.action.how:
                return ruled[0]
            key = first.sort_key(self.query)
            is_clear = first.action.how >= BY_WORDS and all(key < each.sort_key(self.query) for each in others)
            return first if is_clear else None
        return found[0] if found else None

    def _bind(self, reading: ActionReading, names: Sequence[str]) -> ActionReading:
        """Bind names to an action, or others that stand for them: the first that are open, or else that answer best.

        If an action takes a hex beside pieces, that of the last piece is meant, and not any. A name of another kind
        than the first that is a word of the action need not be bound (*the fort* in coming out of it), nor the
        place of a named piece unless it is the object (*raid C*), nor where it goes then (*tow G to B*). A piece
        stands for those that a relation ties to it, as what carries it, and what is acted on for its place, as the
        minefield that is cleared, but not where the action passes over a hex to another.
        """
        program, pieces = self.game.programs.entries[f"action:{reading.action.name}"], self.pieces_of(names)
        roles = action_roles(self.game.graph)[reading.action.name]
        places = [self.state.board.names[self.state.hex[each]] for each in pieces if self.state.hex[each] >= 0]
        last_place = places[-1:] if len(pieces) > 1 and graph.Hex() in program.members else []
        direct = [each for each in self.query.mentions if not (each.preposition or each.is_subject)]
        objects = {name for mention in direct for name in mention.names}
        unbound = {*places, *self.query.destinations} - objects
        other_kinds = [each for each in names if self._kinds_of([each]) != self._kinds_of(names[:1])]
        unbound.update(each for each in other_kinds if not reading.action.stems.isdisjoint(self._stems_of(each)))
        fewer = [each for each in names if each not in unbound]
        takes_pieces = sum(isinstance(each, graph.Piece) for each in program.members) > 1
        ties = {self.state.sheets[each].name for piece in pieces for each in related_pieces(self.state, piece)}
        partners = sorted(ties.difference(names)) if len(roles.pieces) > len(pieces) else []
        is_target = len(pieces) == len(names) == PAIR
        first_choice = next(iter(roles.choices.values()), None)
        tried = [
            [*names, *last_place * takes_pieces], names, fewer, [*fewer, *partners],
            [names[0], *last_place] if is_target and program.members.count(graph.Hex()) == 1 else names,
            # Where a place is chosen first, the first name would stand for it.
            [*reversed(names)] if is_target and first_choice == graph.Hex() else names,
        ]  # fmt: skip
        found = list[ActionReading]()
        for each in filter(None, dict.fromkeys(map(tuple, tried))):
            explained = self._explained(reading, each)
            found.append(explained._replace(names=tuple(names)) if {*each} == {*names} else explained)
            if found[-1].why.open:
                return found[-1]

        def answer_key(each: ActionReading) -> tuple[object, ...]:
            # What refuses a choice that no word names is about another place than the one that is left out.
            is_other = len(each.names) < len(names) and self.assumes_choices(each)
            return len(each.names) > len(names) + 1, is_other, each.quality, not each.takes_all, -each.progress

        return min(found, key=answer_key)

    def assumes_choices(self, reading: ActionReading) -> bool:
        """Return whether an action is refused for a choice that no word names."""
        for refusal in (each for each in reading.why.refusals[:1] if each.action):
            chosen = action_roles(self.game.graph)[refusal.action].choices.keys()
            known = chosen & refusal.failing.names if refusal.failing else chosen
            return not known <= refusal.choices.keys()
        return False

    def _explained(self, reading: ActionReading, names: Sequence[str]) -> ActionReading:
        """Explain an action with names."""
        playthrough, side = reading.moment.entered.playthrough, reading.moment.side
        word_lists = [*action_words(self.game, reading.moment, reading.action.name, names, self.query)]
        found = [explain_refusals(self.game, playthrough, each, side) for each in word_lists]
        why = next((each for each in found if each.open), found[0])
        roles = action_roles(self.game.graph)[reading.action.name]
        takes_agent = roles.admits_agent(self.query.agent_kind)
        place_count = self._count_places(roles.places, why)
        worded = {each.rpartition(":")[2] for each in word_lists[0]}  # With roles: *firers:M*.
        noted = [] if reading.moment.reaction[1] else [each for each in names if each not in worded]
        is_by_place = not noted and len(self.pieces_of(names)) > len(roles.pieces)
        members = self.game.programs.entries[f"action:{reading.action.name}"].members
        records = [each.name for each in members if isinstance(each, graph.RecordOf)]
        if is_by_place and records and not roles.pieces and self.query.agent_kind:
            # Who acts is noted in the record; that it stands in a place that may be chosen does not make it act.
            why, takes_agent = named_by_no_record(self.game, reading.action.name, records, names[0]), False
        return reading._replace(
            why=why,
            names=tuple(names),
            takes_agent=takes_agent,
            place_count=place_count,
            noted_count=sum(each in self.state.board.index for each in noted),
            stand_in=PieceBinding.PLACE if is_by_place else PieceBinding.RECORD if noted else PieceBinding.ITSELF,
        )

    def _count_places(self, takes: Collection[str], why: WhyNot) -> int:
        """Return for how many of the named pieces the chosen places are theirs, which no word names."""
        places = {self.state.hex[each] for each in self.query.pieces}
        places -= {self.state.board.index[each] for each in self.query.names if each in self.state.board.index}
        values = ([each for name, each in part.choices.items() if name in takes] for part in why.refusals)
        return min((len(places.intersection(each)) for each in values), default=0)

    def pieces_of(self, names: Sequence[str]) -> list[int]:
        """Return the pieces among names, in their order."""
        return [piece for name in names for piece, sheet in enumerate(self.state.sheets) if sheet.name == name]

    def _kinds_of(self, names: Sequence[str]) -> set[str]:
        """Return the kinds of the pieces among names."""
        return {self.state.sheets[each].kind for each in self.pieces_of(names)}

    def _stems_of(self, name: str) -> list[str]:
        """Return the stems of a name, and of the counter and the kind of a piece."""
        sheets = (self.state.sheets[each] for each in self.pieces_of([name]))
        return stems(" ".join([name, *(f"{each.counter} {each.kind}".replace("_", " ") for each in sheets)]))
