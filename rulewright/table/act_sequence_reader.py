"""What plain words ask about acts one after the other: *fire and then move*, each in the position after the one before.

In: a game, a state and a `PlainQuery` of the first act, and the words of the later ones. Out: lines. What is offered
within the first act, as the next step of a move, is in the middle of it; all else is behind its end.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from compiler.rulebook.index.stems import STOP_WORDS, stems
from rulewright.table.action_reader import PARTIAL
from rulewright.table.attack_reader import prefixed
from rulewright.table.decision_state import (
    DecisionState,
    OfferMoment,
    after_offers_due,
    offered_phases,
    with_inner_actions,
)
from rulewright.table.named_actions import BY_VERB, list_actions, named_actions, relations_added_by
from rulewright.table.open_option_lines import act_names
from rulewright.table.piece_details import detail_lines
from rulewright.table.plain_query import PlainQuery, parse_query
from rulewright.table.play_reader import PlayReader
from rulewright.table.unreachable_places import run_to_offer
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.free_names import variables_in
from runtime.play.game import Game
from runtime.play.options import END_OFFER, TAKE, Decision
from runtime.play.piece_options import indices_of
from runtime.play.playthrough import Playthrough
from runtime.state.position import State

_SUBJECT = re.compile(r"^(\s*(?:\w+\s+)?)(?:it|they|he)\b", re.IGNORECASE)
_IT = re.compile(r"\b(?:it|them|him)\b", re.IGNORECASE)
# The seeds of the dice that are tried for a result after which the pieces of the next words are still there.
SEEDS = tuple("12345678")
# The most pieces for which it is tried whether they can act one after the other.
MOST_IN_TURN = 4


class _NextAnswer(NamedTuple):
    """The reader of words about a next act and its lines, and whether they are an answer."""

    reader: "ActSequenceReader"
    lines: list[str]
    is_answer: bool = False


class ActSequenceReader(PlayReader):
    """A reader of acts one after the other."""

    def lines_after(self, later: Sequence[str]) -> Iterator[str]:
        """Yield where a piece goes after the chosen action, the answers to later acts, each after the one before it,
        and how the acting piece is after the first if a query asks that.
        """
        chosen = self.chosen[-1:] if len(self.query.bindings) == 1 else ()
        goals = [each for each in self.query.destinations if chosen and each not in chosen[-1].names]
        goes = [f"to {each}" for each in goals[:1] if self.chosen[-1].why.open]
        it = next((self.state.sheets[each].name for each in reversed(self.query.pieces)), "")
        subject = self.query.names[:1] if self.query.mentions[:1] and self.query.mentions[0].is_subject else ()
        reader: ActSequenceReader | None = self
        for text in (*goes, *later):
            if (after := reader._playthrough_after() if reader else None) is None:
                yield "Then: what follows is not answered, as the first is not carried out."
                break
            assert reader
            order, before = offered_phases(self.game), reader.moment
            match = _SUBJECT.match(text)
            is_subject = match and STOP_WORDS.issuperset(match[1].lower().split())  # *Can it fire*, and no *carry it*.
            acts = _SUBJECT.sub(rf"\g<1>{subject[0]}", text) if subject and is_subject else text
            reader, lines = reader._next_act(after, _IT.sub(it, acts))
            if lines and order.index(reader.moment.phase) < order.index(before.phase):
                lines = ["not in this turn, in which that phase comes first."]
            unread = [f"not answered, as no action has a word of “{text.strip()}”."]
            yield from prefixed(f"Then, {reader.moment.title()}" if lines else "Then", lines or unread)
        if self.query.has("outcome") and (after := self._playthrough_after()) is not None:
            yield from prefixed("Then", detail_lines(after.state, self.state.sheets[self.query.pieces[0]].name))

    def sequential_acts_text(self, acts: Sequence[tuple[str, ...]]) -> str:
        """Return whether acts of several pieces are open each after the one before, in the order of the words.

        Each is tried with one result of the dice of those before it. "" if the first one cannot be carried out.
        """
        shared = {*acts[0]}.intersection(*acts)
        names = [" ".join(each for each in act if each not in shared) for act in acts]
        if "" in names:
            return ""
        if len(acts) > MOST_IN_TURN:
            return f"whether all of them could, one after the other, is not tried for more than {MOST_IN_TURN}."
        reader = self._answer_in(self.state, [" ".join(acts[0])]).reader
        after = reader._playthrough_after()
        for number, act in enumerate(acts[1:], 1):
            if after is None:
                return ""
            reader, lines = reader._next_act(after, " ".join(act))
            after = reader._playthrough_after()
            if after is None:
                reasons = [f": {'; '.join(each.strip().rstrip('.') for each in lines[:2])}"] if lines else []
                return f"it is not open to {names[number]} after {words.list_text(names[:number])}{''.join(reasons)}."
        return f"one after the other it is open to {words.list_text(names)}."

    def _next_act(self, after: Playthrough, text: str) -> tuple["ActSequenceReader", list[str]]:
        """Return the reader of words about the next act, and its lines: within the action before it, or else behind it.

        Who acts is a piece in the words, or still one of those that acted before.
        """
        named = parse_query(after.state, text)
        sides = {after.state.side[piece] for piece in named.pieces}
        acting = (each for each in self.query.names if self.pieces_of([each]))
        names = [*([""] if self.moment.side in sides else ()), *acting]
        within = self._moment_within(after)
        movers = [after.state.sheets[each].name for each in (within.reaction[1] if within else ())]
        subjects = {name for each in named.mentions if each.is_subject for name in each.names}

        def texts(agents: Iterable[str]) -> list[str]:
            return [text if each in named.names else f"{each} {text}" for each in agents]

        inner = self._answer_in(after.state, texts(movers), within) if within else None
        if inner and inner.is_answer and inner.reader.can_be_carried_out:
            return inner.reader, inner.lines
        ended = after.copy()  # The inner reader is still of the state before.
        self._end_action(ended)
        reader, lines, is_answer = self._answer_in(ended.state, texts(names))
        # What is refused within the act may be open behind its end, as an act of another piece is.
        is_behind = is_answer and not subjects.issubset(movers)
        if inner and inner.is_answer and not (is_behind or (is_answer and reader.can_be_carried_out)):
            return inner.reader, inner.lines
        order, now = offered_phases(self.game), ended.state.phase
        is_later = lines and now in order[: order.index(reader.moment.phase)]
        if is_later and (due := self._after_offers_due(ended.state, text)):
            reader, lines, _ = self._answer_in(due, texts(names))
        return reader, lines

    def _after_offers_due(self, state: State, text: str) -> State | None:
        """Return the state after what a phase still has its side do; None if that is nothing.

        Of the results of its dice, it is one that leaves the pieces in the words, if any of a few does.
        """
        first = None
        for seed in SEEDS:
            due = after_offers_due(self.game, state, seed)
            if due is None or all(due.hex[each] >= 0 for each in parse_query(state, text).pieces):
                return due
            first = first or due
        return first

    def _answer_in(self, state: State, texts: Sequence[str], within: OfferMoment | None = None) -> "_NextAnswer":
        """Return the answer to the first text that is answered in a state."""
        queries = [self._next_query(state, each, within) for each in texts]
        readers = [ActSequenceReader(self.game, state, each, within) for each in queries]
        found = [(each, [*each.lines(has_question=False)]) for each in readers]
        # Whoever can do it is meant: *R boards H and drives to B*.
        acts = [(each, act) for each in found for act in each[0].chosen]
        taking = [each for each, act in acts if act.quality <= PARTIAL or act.why.explained]
        reaching = [each for each in found if each[0].reached]
        telling = [each for each in found if not each[0].query.topics and each[1]]
        named = [each for each, act in acts if act.action.how >= BY_VERB and act.why.lines]
        answering = (*taking, *reaching, *telling, *named)
        if answering:
            return _NextAnswer(*answering[0], is_answer=True)
        return _NextAnswer(found[0][0], [])

    def _next_query(self, state: State, text: str, within: OfferMoment | None) -> PlainQuery:
        """Parse words about the next act; within a move, a word for the move adds nothing to where it goes then."""
        query = without_tied_pieces(self.game, state, parse_query(state, text))
        moves = {each for each in self.moment.actions if self.moving.intersection(self.offered_by(each))}
        named = named_actions(self.game, moves if within and query.places else (), query)
        return query._replace(topics=query.topics.difference(*(each.stems for each in named)))

    def _moment_within(self, after: Playthrough) -> OfferMoment | None:
        """Return the moment at which the action that led to a playthrough offers its pieces others; None at its end."""
        if len(after.calls) <= len(self.moment.entered.playthrough.calls):
            return None
        call = after.calls[-1]
        step = self.game.step_of(call)
        actions = step.actions if isinstance(step, graph.Offer) else ()
        pieces = tuple(call.names[each] for each in variables_in(tuple(given for _, given in actions)) - {"player"})
        within = DecisionState(after.copy(), self.game.decide(after, call))
        reaction = (self.last_action, pieces)
        offered = with_inner_actions(self.game, actions)
        return replace(self.moment, state=after.state, actions=offered, reaction=reaction, within=within)

    def _end_action(self, after: Playthrough) -> None:
        """End the action that led to a playthrough, if it offers others."""
        if self._moment_within(after):
            self.game.without_listeners().take(after, END_OFFER)
            run_to_offer(self.game, after, self.moment.side)

    @property
    def can_be_carried_out(self) -> bool:
        """Return whether the chosen action is open, or the way that is told; it is carried out to find that."""
        return self._playthrough_after() is not None

    def _playthrough_after(self) -> Playthrough | None:
        """Return the playthrough after the chosen action, with one result of its dice; None if it is not open.

        A move without a place is any move.
        """
        reading = self.chosen[-1] if self.chosen else None
        open_actions = reading.why.open if reading else ()
        names = reading.names if reading else self.reached
        if not (open_actions or self.reached):
            return None
        playthrough = self.moment.entered.playthrough.copy()
        for piece in self.pieces_of(names):
            found = self._open_to(piece, refused=False)
            goals = {self.state.board.index[each] for each in self.reached if each in self.state.board.index}
            acts = [each for each in found.acts if each.action in open_actions or each.moves_to in goals]
            choices = [(each.options, {*act_names(self.state, each)}) for each in acts]
            places = [(each.options, self.state.board.names[each.hex]) for each in found.hexes]
            choices += [(each, {place, *self._names_at(place)}) for each, place in places]
            acting = {piece, *self.moment.reaction[1]} if self.moment.within else {piece}
            missing = {*names} - {self.state.sheets[each].name for each in acting}
            options = next((options for options, chosen in choices if missing <= chosen), None)
            for index in indices_of(self.game, playthrough, options or ()):
                decision = self.game.advance(playthrough)
                assert isinstance(decision, Decision)
                self.game.apply(playthrough, decision, index)
            if options:
                self.last_action = next((each.name for each in reversed(options) if each.kind == TAKE), "")
                run_to_offer(self.game, playthrough, self.moment.side)
                return playthrough
        return None


def without_tied_pieces(game: Game, state: State, query: PlainQuery) -> PlainQuery:
    """Return a query without pieces that are tied to its first one as its verb says, if it names where that one goes.

    *Carry G to D*, where G is carried by the first piece, is about the way of that piece.
    """
    if not (query.destinations and query.topics and len(query.pieces) > 1):
        return query
    first, *others = query.pieces
    tied = [
        name
        for name in state.graph.vocabulary.relations
        if {*state.partners(name, "left", first), *state.partners(name, "right", first)}.issuperset(others)
    ]
    if not tied:
        return query
    named = [each.name for each in named_actions(game, list_actions(game), query) if each.how >= BY_VERB]
    adds = named and not any(relations_added_by(game, each).isdisjoint(tied) for each in named)
    if not adds and all(query.topics != {*stems(each.replace("_", " "))} for each in tied):
        return query
    names = {state.sheets[each].name for each in others}
    mentions = tuple(each for each in query.mentions if names.isdisjoint(each.names))
    return query._replace(mentions=mentions, pieces=(first,), topics=frozenset())
