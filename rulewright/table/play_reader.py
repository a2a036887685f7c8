"""What plain words ask about play: the action they name, at the moment at which it is offered.

In: a game, a state and a `PlainQuery`. Out: lines. Names that are meant together (*T and H*) are answered one by one,
and then together.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import product

from compiler.rulebook.index.stems import stem
from rulewright.table.action_reader import PARTIAL, ActionReading
from rulewright.table.agent_reader import AgentReader
from rulewright.table.attack_reader import TOGETHER, prefixed
from rulewright.table.decision_state import NO_REACTION, OfferMoment, is_voluntary, with_inner_actions
from rulewright.table.lexicon import WORDS, has_role
from rulewright.table.named_actions import BY_NAME, BY_VERB, relations_removed_by
from rulewright.table.names_in_words import related_pieces
from rulewright.table.open_option_lines import (
    RouteRequest,
    last_step_actions,
    open_option_lines,
    open_route_lines,
    reach_lines,
    route_line,
)
from rulewright.table.option_lines import action_phrase
from rulewright.table.piece_details import detail_lines
from rulewright.table.refusal_lines import REASONS, WhyNot, explain_refusals
from rulewright.views.picture import phase_title
from runtime.graph import words
from runtime.graph.movement import moves_a_whole_way

ASSUMED = "Nothing that could be chosen besides is open to it; for example:"
OWN_TURN = "This is about its own turn; what it may do in that of another side, these words do not tell."


class PlayReader(AgentReader):
    """The reading of one query. `moment` is the one that the lines are about."""

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
        elif query.is_about_pieces and (self.harm or query.has("dice")) and (lines := self._any_target_lines()):
            self.answered = query.topics.intersection(
                self.harm.union(query.numbers, *(each.action.stems for each in self.actions), map(stem, WORDS["dice"]))
            )
            yield from lines
        elif leaves or (query.is_about_pieces and (is_about_places or not (self.actions or query.topics))):
            for piece in query.pieces:
                yield from self._piece_lines(piece, only_places=is_about_places)
        elif self.actions:
            yield from self._action_lines(self.actions)
            yield from self._obligation_lines()
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
            yield from prefixed(TOGETHER, [*filter(None, [self.sequential_acts_text(goals)])])

    def _is_about_going(self) -> bool:
        """Return whether it asks how far, or to which places, one goes, or acts: *how far can T see* does not."""
        if not (self.query.asks_places or (self.query.question_word == "how" and self.query.has("distance"))):
            return False
        roles = ("distance", "motion", "reach")
        others = {each for each in self.query.topics if not any(has_role(role, [each]) for role in roles)}
        moving = (each for each in self.actions if each.action.name in self.moving or not self.query.asks_places)
        return others <= frozenset[str]().union(*(each.action.stems for each in moving))

    def _asks_results(self) -> bool:
        """Return whether the query is about results of attacks: their chances, dice or figures, or any harm at all.

        It is about any harm if no action that its words name takes the names.
        """
        if self.query.asks_reach or self.query.has("chance", "dice") or self._asks_figures():
            return True
        best = self.best(self.actions, self.query.bindings[0]) if self.harm else None
        if not self.harm or (best and best.quality <= PARTIAL):
            return False
        if best and not self._has_results():
            self._widen_to_attacks(self.query.names)
            return False
        self.actions = []
        return True

    def _has_results(self) -> bool:
        """Return whether any action of the first named piece at the others has results, at any moment."""
        before, found = self.moment, False
        for moment in self.moments:
            self.moment = moment
            found = found or any(self._forecasts(None, self.query.names))
        self.moment = before
        return found

    def _any_target_lines(self) -> list[str]:
        """Return the acts with results of the named pieces; none if they may act as the words say, or for want of any.

        Without an action of these words it is said that there are none.
        """
        best = self.best(self.actions, self.query.names[:1])
        if best and best.why.open:
            return []
        lines = [line for each in self.query.pieces for line in self._target_lines(each)]
        without = [f"No act with results is open to {self.state.sheets[each].name}." for each in self.query.pieces]
        lines += self._obligation_lines() if lines else ()
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

    def _obligation_lines(self) -> Iterator[str]:
        """Yield that nobody is obliged to act, for a query that asks whether one must."""
        actions = [each.action.name for each in self.chosen or self.actions]
        asks = not WORDS["obligation"].isdisjoint(self.query.tokens[:1])
        if asks and actions and all(is_voluntary(self.game, each) for each in actions):
            yield "It need not: its side may end its choices without it."

    def _piece_lines(self, piece: int, *, only_places: bool) -> Iterator[str]:
        """Yield what is open to a piece, or where it gets, or leaves to, at the first moment at which it does."""
        self.answered = self.query.topics
        moves = (each for each in self._moments_of_moves() if not self.moving.isdisjoint(each.actions))
        self.moment = next(moves, self.moment) if only_places else self.moment
        found = self._open_to(piece)
        if only_places:
            named = {each.action.name for each in self.actions if each.action.how == BY_NAME}
            found = found._replace(acts=tuple(each for each in found.acts if each.action in named), refusals=())
        if only_places and not (found.hexes or found.acts):
            yield f"{self.state.sheets[piece].name} gets to no other place."
            for each in self._open_to(piece).refusals:
                if self.moves_pieces(each.action):
                    yield f"  not open: {action_phrase(self.game, each.action)}: {each.reason}"
            return
        yield from open_option_lines(self.game, self.state, found, self.moment.side)

    def _neighbor_lines(self, name: str) -> Iterator[str]:
        """Yield how the first piece gets next to a piece or place."""
        self.answered = self.query.topics
        self.moment, piece = self._moments_of_moves()[0], self.query.pieces[0]
        goal = self.state.board.index.get(name, self.state.hex[self.query.pieces[-1]])
        beside = [
            each for each in self._open_to(piece, refused=False).hexes if self.state.board.adjacent(each.hex, goal)
        ]
        yield from (route_line(self.state, piece, each) for each in beside)
        if not beside:
            yield f"{self.state.sheets[piece].name} gets to no place next to {name}."

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
        for case, each in found:
            yield from prefixed(" and ".join(case), self._lines_of_reading(each, case))
        together = [*self._together([each.action.name for _, each in found if each])]
        varies_in_pieces = any(len(each.names) > 1 and self.pieces_of(each.names) for each in self.query.mentions)
        if varies_in_pieces and not together and any(each and each.why.open for _, each in found):
            readings = [each for _, each in found if each]
            acts = [(each.names[0], each.action.name.replace("_", " "), *each.names[1:]) for each in readings]
            others = self.sequential_acts_text(acts)
            together = [f"no single action takes all of them{f'; {others}' if others else '.'}"]
        yield from prefixed(TOGETHER, together)

    def sequential_acts_text(self, acts: Sequence[tuple[str, ...]]) -> str:
        """Return whether acts of several pieces are open each after the one before; readers of sequences tell it.

        Each act is the words for it: who acts, the action or a preposition, and the other names.
        """
        assert acts
        return ""

    def _lines_of_reading(self, reading: ActionReading | None, names: Sequence[str]) -> Iterator[str]:
        """Yield the lines of an action: its refusal, or that it is open, with the chances of its results.

        Asked how far, where or what for one piece, an open action is answered by its places and choices.
        """
        if reading is None:
            yield from self._unread_lines(names, has_question=self.has_question)
            return
        reading = self.opened_by_acts(reading, names)
        self.chosen.append(reading)
        self.moment, why = reading.moment, reading.why
        if untied := [] if why.open or why.explained else [*self._untied_lines(reading.action.name, names)]:
            yield from untied
            return
        playthrough, side = self.moment.entered.playthrough, self.moment.side
        if self.query.is_about_pieces and (self.query.question_word if why.open else self.assumes_choices(reading)):
            found = self._open_to(self.pieces_of(names)[0], refused=False)
            wanted = {*(why.open or (reading.action.name,)), *self._same_words(reading)}
            hexes = tuple(each for each in found.hexes if wanted & {option.name for option in each.options})
            acts = tuple(each for each in found.acts if each.action in wanted and self._is_meant(each, found.piece))
            if hexes or acts:
                yield from open_option_lines(self.game, self.state, found._replace(hexes=hexes, acts=acts), side)
                return
            if not (why.open or found.is_cut):
                yield ASSUMED
        goes_on = self.moves_pieces(reading.action.name)
        # Another way to the place is no answer to how it goes there by the words: *at quick time*.
        topics = reading.action.stems & self.query.topics
        same_actions = {each.action.name for each in self.actions if topics <= each.action.stems}
        if all(has_role("motion", [each]) or has_role("entry", [each]) for each in topics):
            same_actions = set()  # It is entered in any way.
        route = self._reach_lines(names, same_actions) if goes_on else []
        if not route and not self.moving.isdisjoint(why.open):
            route = [*open_route_lines(self.game, playthrough, side, names, same_actions)]
        if route:
            self.reached = self.reached or names
            self.chosen[-1] = reading._replace(names=self.reached)
        goals = self.state.board.index.keys() & {*self.query.destinations} - {*reading.names}
        if goes_on and goals and why.open and not route:
            # It may begin to move, but not get there.
            refused = explain_refusals(self.game, playthrough, [reading.action.name, *names], side)
            why = reading.why if refused.open else refused
            self.chosen[-1] = reading._replace(why=why)
        yield from route or why.lines
        if why.open:
            agents = [each for each in self.pieces_of(reading.names) if self.state.side[each] == side]
            together = [*prefixed(TOGETHER, self._together(why.open) if len(agents) > 1 else ())]
            yield from together or (() if route else self._forecasts(why.open, reading.names))

    def similar_action_lines(self) -> Iterator[str]:
        """Yield of actions with words of a query, but not with its verb, whether they are open."""
        for each in self.actions[:REASONS]:
            why = self._bind(each, self.query.names).why
            phrase = words.sentence(action_phrase(self.game, each.action.name)).rstrip(".")
            yield f"{phrase}: it is open." if why.open else why.lines[0]

    def _untied_lines(self, action: str, names: Sequence[str]) -> Iterator[str]:
        """Yield which of the named pieces an action cannot untie, as nothing is tied to any of them."""
        relations = relations_removed_by(self.game, action)
        pieces = self.pieces_of(names)
        tied = (self.state.partners(*each) for each in product(relations, ("left", "right"), pieces))
        if relations and not any(map(tuple, tied)):
            declared = [self.state.graph.vocabulary.relations[each] for each in sorted(relations)]
            ends = [f"no {words.readable_name(end.name)}" for each in declared for end in (each.left, each.right)]
            action_text = words.sentence(action_phrase(self.game, action)).rstrip(".")
            yield from (
                f"{action_text}: {self.state.sheets[each].name} has {words.list_text(ends)}." for each in pieces
            )

    def _same_words(self, reading: ActionReading) -> Iterator[str]:
        """Yield the actions that the same words name as well then, if a query asks what or how far: *fire at what*."""
        for each in self.actions if self.query.question_word else ():
            stems = each.action.stems ^ reading.action.stems
            if each.moment is reading.moment and each.action.how == reading.action.how:
                yield from () if stems & self.query.topics else (each.action.name,)

    def _unread_lines(self, names: Sequence[str], *, has_question: bool) -> Iterator[str]:
        """Yield the lines of words that no action fits: where they lead, or what any action could mean."""
        query = self.query
        goes = query.pieces and any(name in self.state.board.index for name in query.destinations)
        is_about_place = goes or (
            query.places and query.pieces and (query.has("distance", "reach") or not query.topics)
        )
        if is_about_place and not (query.topics and has_question) and (lines := self._reach_lines(names)):
            self.answered = query.topics
            yield from lines
        elif self.actions and not has_question:
            phrases = [*dict.fromkeys(action_phrase(self.game, each.action.name) for each in self.actions)]
            more = [f"{len(phrases) - REASONS} more"] if len(phrases) > REASONS else []
            listed = words.list_text([*phrases[:REASONS], *more])
            yield f"No action with these words takes {words.list_text(names)} (tried: {listed})."
        elif query.topics and not is_about_place:
            if query.question_word or not (has_question or query.has("permission")):
                yield from self._forecasts(None, names)
        elif is_about_place and not (query.topics and has_question):
            by_cost: tuple[OfferMoment, WhyNot] | None = None
            for moment in self._moments_of_moves():
                self.moment = moment
                _, within = moment.reaction if moment.within else NO_REACTION
                word_list = [each for each in names if not {*self.pieces_of([each])} & {*within}]
                open_ways = (last_step_actions(self._open_to(each, refused=False)) for each in query.pieces[:1])
                usual_actions = self._moves_within(moment).union(*open_ways)
                playthrough = moment.entered.playthrough
                refused = explain_refusals(self.game, playthrough, word_list, moment.side, actions=usual_actions)
                actions = with_inner_actions(self.game, [(each, ()) for each in refused.actions])
                if (refused.open or refused.explained) and not self.moving.isdisjoint(actions):
                    yield from refused.lines
                    return
                # A way that costs too much is refused by no question.
                names_goal = (each.action for each in refused.refusals if each.reason and not each.unused_words)
                if any(moves_a_whole_way(self.game.graph, f"action:{action}") for action in names_goal):
                    by_cost = by_cost or (moment, refused)
            self.moment = by_cost[0] if by_cost else self.moments[0]
            yield from by_cost[1].lines if by_cost else ()
        elif not query.topics:
            yield from explain_refusals(self.game, self.moment.entered.playthrough, names, self.moment.side).lines

    def _reach_lines(self, names: Sequence[str], actions: Collection[str] = ()) -> list[str]:
        """Return how far a piece gets to a place, when it moves; nothing if its side has nothing to choose.

        With `actions`, it is how far it gets by these. A piece that gets nowhere stands for one that a relation ties to
        it, as what carries it.
        """
        first, *others = sorted(names, key=self.state.board.index.__contains__)
        before = self.moment
        for moment in self._moments_of_moves():
            self.moment = moment
            ties = [each for piece in self.pieces_of([first]) for each in (piece, *related_pieces(self.state, piece))]
            here = (each for each in ties if len(ties) > 1 and self.state.hex[each] == self.state.hex[ties[0]])
            moving = (each for each in here if self._open_to(each, refused=False).hexes)
            ordered = [next((self.state.sheets[each].name for each in moving), first), *others]
            playthrough, decision = moment.entered
            within = self._moves_within(moment)
            moves = (len(decision.options) > 1 or within) and not self.moving.isdisjoint(moment.actions)
            request = RouteRequest(ordered, actions, within)
            found = reach_lines(self.game, playthrough, moment.side, request)
            lines = [*found] if moves else []
            if lines:
                self.reached = ordered
                return lines
        self.moment = before
        return []

    def _moves_within(self, moment: OfferMoment) -> frozenset[str]:
        """Return the actions by which a piece goes on in the middle of an action: the last one, or any move."""
        action = moment.reaction[0]
        known = {action} if action in self.moving else self.moving.intersection(moment.actions)
        return frozenset(known if moment.within else ())

    def _moments_of_moves(self) -> list[OfferMoment]:
        """Return the moments at which a named piece gets anywhere, or else all."""
        found, before = [], self.moment
        for moment in dict.fromkeys((before, *self.moments)):
            self.moment = moment
            if any(self._open_to(piece, refused=False).hexes for piece in self.query.pieces):
                found.append(moment)
        self.moment = before
        return found or self.moments
