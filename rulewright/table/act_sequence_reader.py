"""What plain words ask about play: an act, and others after it: *fire and then move*.

In: a game, a state and a `PlainQuery` of the first act, and the words of the later ones. Out: lines. Names that are
meant together (*T and H*) are answered one by one, and then together. A later act is answered in the position after the
one before: what is offered within that, as the next step of a move, is in the middle of it; all else is behind its end.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from compiler.rulebook.index.stems import STOP_WORDS, stem, stems
from rulewright.table.action_reader import PARTIAL, ActionReading
from rulewright.table.attack_reader import TOGETHER, prefixed
from rulewright.table.decision_state import (
    DecisionState,
    OfferMoment,
    after_offers_due,
    offered_phases,
    with_inner_actions,
)
from rulewright.table.lexicon import WORDS
from rulewright.table.named_actions import BY_VERB, named_actions
from rulewright.table.open_option_lines import act_names
from rulewright.table.option_reader import read_choice
from rulewright.table.piece_details import detail_lines
from rulewright.table.plain_query import PlainQuery
from rulewright.table.play_reader import PlayReader
from rulewright.table.preview_lines import preview_of
from rulewright.table.query_parser import parse_query
from rulewright.table.roles import action_roles
from rulewright.table.unreachable_places import run_to_offer
from rulewright.views.picture import phase_title
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.free_names import variables_in
from runtime.play.game import Game
from runtime.play.options import END_OFFER, TAKE, Decision
from runtime.play.piece_options import indices_of
from runtime.play.playthrough import Playthrough
from runtime.play.previews import chances_text
from runtime.state.position import State

_SUBJECT = re.compile(r"^(\s*(?:\w+\s+)?)(?:it|they|he)\b", re.IGNORECASE)
_IT = re.compile(r"\b(?:it|them|him)\b", re.IGNORECASE)
# The seeds of the dice that are tried for a result after which the pieces of the next words are still there.
SEEDS = tuple("12345678")
# The most pieces for which it is tried whether they can act one after the other.
MOST_IN_TURN = 4
OWN_TURN = "This is about its own turn; what it may do in that of another side, these words do not tell."


class _NextAnswer(NamedTuple):
    """The reader of words about a next act and its lines, and whether they are an answer."""

    reader: "ActSequenceReader"
    lines: list[str]
    is_answer: bool = False


class ActSequenceReader(PlayReader):
    """The reading of one query, and of acts one after the other. `moment` is the one that the lines are about."""

    def lines(self, *, has_question: bool, has_answer: bool = False) -> Iterator[str]:
        """Yield what is open to the named things with the named actions, or the rules that refuse it.

        Two pieces without an action or a place could mean any action of one of them at the other, a place without an
        action or a piece any action there. These are left out unless the query has only names. `has_question`: a
        question has all topics of the query; `has_answer`: one that has an answer.
        """
        query, self.has_question = self.query, has_question
        asks_how_far = self._is_about_going()
        own_places = {self.state.hex[piece] for piece in query.pieces[:1]}
        leaves = bool(query.places) and query.has("departure") and own_places.issuperset(query.places)
        is_about_places = leaves or asks_how_far or (query.question_word == "where" and query.has("permission"))
        if lines := [*self._absence_lines()]:
            self.answered = query.topics
            yield from lines
        elif query.has_open_agent:
            goes = query.has("distance", "reach") or not query.topics
            is_asked = goes or not has_question or query.topics <= self.harm
            # *Can K be supplied* is a question, and no action that has the word in its description.
            is_act = any(each.action.how >= BY_VERB for each in self.actions) or not (query.is_passive and has_answer)
            yield from self._agent_lines(goes=goes) if is_asked or (self.actions and is_act) else ()
        elif (
            not (has_question or query.stems)
            and len(query.names) == 1
            and (query.places or query.question_word == "where")
        ):
            yield from detail_lines(self.visible_state, query.names[0])
        elif query.pieces and query.mentions[-1].preposition == "next to":
            yield from self._neighbor_lines(query.names[-1])
        elif query.pieces and len(query.names) > 1 and self._asks_results():
            yield from self._chance_lines()
            yield from self._joint_chance_lines()
        elif query.is_about_pieces and (self.harm or query.has("dice")) and (lines := self._any_target_lines()):
            self.answered = query.topics.intersection(
                self.harm.union(query.numbers, *(each.action.stems for each in self.actions), map(stem, WORDS["dice"]))
            )
            yield from lines
        elif leaves or (query.is_about_pieces and (is_about_places or not (self.actions or query.topics))):
            lines = [line for each in query.pieces for line in self._piece_lines(each, only_places=is_about_places)]
            yield from (*self._obligation_lines(), *lines)
        elif self.actions:
            lines = [*self._action_lines(self.actions)]
            yield from (*self._obligation_lines(), *lines)
            if query.during_other_act and self.moment.active == self.moment.side:
                yield OWN_TURN
        else:
            yield from self._unread_cases(has_question=has_question)

    def _unread_cases(self, *, has_question: bool) -> Iterator[str]:
        """Yield the lines of words that no action fits, of names meant together one by one, and then in turn."""
        query, silence = self.query, () if has_question else ("not answered.",)
        for case in query.bindings:
            lines = [*self._unread_lines(case, has_question=has_question)]
            yield from prefixed(" and ".join(case), lines or silence) if len(query.bindings) > 1 else lines
        goals = [(piece, "to", place) for piece, *others in query.bindings for place in others]
        if self.reached and len(goals) == len(query.bindings) > 1 and len(query.mentions[0].names) == len(goals):
            yield from prefixed(TOGETHER, [*filter(None, [self._sequential_acts_text(goals)])])

    def _joint_chance_lines(self) -> Iterator[str]:
        """Yield the results of acts of several pieces that no single action takes, as overruns that are one attack."""
        if len(self.query.mentions[0].names) == 1 or [*self._together(self.moment.actions)]:
            return
        readings = [each for case in self.query.bindings if (each := self.best(self.actions, case)) and each.why.open]
        are_open = len(readings) == len(self.query.bindings)
        text = self._sequential_acts_text(_acts_of(readings)) if are_open else ""
        yield f"{TOGETHER}: {text or 'their joint results are not told: no single open action takes all of them.'}"

    def _any_target_lines(self) -> list[str]:
        """Return the acts with results of the named pieces, or that there are none; [] if they act as the words say."""
        best = self.best(self.actions, self.query.names[:1])
        if best and (best.why.open or (best.takes_all and self._has_named_target())):
            return []
        lines = [line for each in self.query.pieces for line in self._target_lines(each)]
        without = [f"No act with results is open to {self.state.sheets[each].name}." for each in self.query.pieces]
        lines[:0] = self._obligation_lines() if lines else ()
        if not (lines or self.harm):
            return [] if self.actions else without
        self._widen_to_attacks(self.query.names[:1])
        return lines or [*without, *self._lines_without_attack()]

    def _lines_without_attack(self) -> Iterator[str]:
        """Yield what refuses the only attack that there is, or when attacks are offered if there are several.

        What refuses one of these without a target says nothing about the others.
        """
        if len(self.actions) == 1:
            yield from self._action_lines(self.actions)
        elif self.actions:
            phases = [phase_title(self.state, each.moment.phase) for each in self.actions]
            self.answered = self.query.topics
            yield f"Acts with results are offered in: {words.list_text([*dict.fromkeys(phases)])}."

    def _action_lines(self, actions: Sequence[ActionReading]) -> Iterator[str]:
        """Yield the lines of one of the actions, of names that are meant together one by one."""
        names = self.query.names
        cases = self.query.bindings
        best = self.best(actions, names)
        # The last piece may be named by its place; whoever else is left out is answered by a line of its own.
        is_about_all = best is not None and {*names[:-1], *self.query.destinations}.issubset(best.names)
        if len(cases) == 1 or (best and best.why.open and is_about_all):
            yield from self._lines_of_reading(best, names)
            return
        found = [(case, self.best(actions, case)) for case in cases]
        lines = [
            line for case, each in found for line in prefixed(" and ".join(case), self._lines_of_reading(each, case))
        ]
        together = [*self._together([each.action.name for _, each in found if each])]
        varies_in_pieces = any(len(each.names) > 1 and self.pieces_of(each.names) for each in self.query.mentions)
        if varies_in_pieces and not together and any(each and each.why.open for _, each in found):
            others = self._sequential_acts_text(_acts_of([each for _, each in found if each]))
            together = [f"no single action takes all of them{f'; {others}' if others else '.'}"]
        # What is refused to each of them may be open to all.
        is_refused = any(each and not each.why.open for _, each in found)
        joint = [*prefixed(TOGETHER, together)]
        yield from joint + lines if is_refused else lines + joint

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
            self.tells_later_acts = True
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
            self.tells_later_acts = True
            yield from prefixed("Then", detail_lines(after.state, self.state.sheets[self.query.pieces[0]].name))

    def _sequential_acts_text(self, acts: Sequence[tuple[str, ...]]) -> str:
        """Return whether acts of several pieces are open each after the one before, in the order of the words.

        Each is tried with one result of the dice of those before it. "" if the first one cannot be carried out. What
        their side does with all of them then, as it resolves them, is told with its results.
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
        results = " ".join(self._pending_results(after)) if after else ""
        return f"one after the other it is open to {words.list_text(names)}.{f' Then: {results}' if results else ''}"

    def _pending_results(self, after: Playthrough) -> Iterator[str]:
        """Yield the figures and chances of the actions that are open after some acts, and were not before them."""
        before = {each.name for each in self.moment.entered.decision.options if each.kind == TAKE}
        decision = self.game.advance(after)
        if not isinstance(decision, Decision):
            return
        offered = dict.fromkeys(each.name for each in decision.options if each.kind == TAKE)
        for name in offered.keys() - before:
            line = read_choice(self.game, after, decision, [name])
            seen = preview_of(self.game, after, line.indices) if line.indices and not line.unread_word else None
            for sheet in seen.sheets if seen else ():
                yield from (sheet.text, *chances_text(sheet, sampled=bool(seen and seen.sampled)))

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


def _acts_of(readings: Iterable[ActionReading]) -> list[tuple[str, ...]]:
    """Return the acts of readings in words: who acts, the action, and on what."""
    return [(each.names[0], each.action.name.replace("_", " "), *each.names[1:]) for each in readings]


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
    roles = action_roles(game.graph)
    named = [each.name for each in named_actions(game, roles, query) if each.how >= BY_VERB]
    adds = named and not any(roles[each].added.isdisjoint(tied) for each in named)
    if not adds and all(query.topics != {*stems(each.replace("_", " "))} for each in tied):
        return query
    names = {state.sheets[each].name for each in others}
    mentions = tuple(each for each in query.mentions if names.isdisjoint(each.names))
    return query._replace(mentions=mentions, pieces=(first,), topics=frozenset())
