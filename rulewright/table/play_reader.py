"""What plain words ask about one act: the action they name, at the moment at which it is offered, or where one gets.

In: a game, a state and a `PlainQuery`. Out: lines about things that are named once (*T*), or all together (*T and H*).
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import product

from rulewright.table.action_reader import PARTIAL, ActionReading, PieceBinding
from rulewright.table.agent_reader import AgentReader
from rulewright.table.attack_reader import TOGETHER, prefixed
from rulewright.table.decision_state import NO_REACTION, OfferMoment, is_voluntary, with_inner_actions
from rulewright.table.lexicon import has_role
from rulewright.table.named_actions import BY_NAME
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
from rulewright.table.refusal_lines import REASONS, WhyNot, explain_refusals
from runtime.graph import words
from runtime.graph.movement import moves_a_whole_way
from runtime.play.options import END_OFFER

ASSUMED = "Nothing that could be chosen besides is open to it; for example:"


class PlayReader(AgentReader):
    """A reader of the named action, and of ways to places."""

    def _is_about_going(self) -> bool:
        """Return whether it asks how far, or to which places, one goes, or acts: *how far can T see* does not."""
        if not (self.query.asks_places or (self.query.question_word == "how" and self.query.has("distance"))):
            return False
        roles = ("distance", "motion", "reach")
        others = {each for each in self.query.topics if not any(has_role(role, [each]) for role in roles)}
        moving = (each for each in self.actions if self.moves_pieces(each.action.name))
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

    def _obligation_lines(self) -> Iterator[str]:
        """Yield whether the side may end its choices instead of an act, for a query that asks whether one must."""
        if not self.query.asks_obligation:
            return
        actions = [each.action.name for each in self.chosen or self.actions]
        may_end = END_OFFER in self.moment.entered.decision.options
        if may_end or (actions and all(is_voluntary(self.game, each) for each in actions)):
            yield "It need not: its side may end its choices without it."
        else:
            yield "Its side may not end its choices there as things stand: it chooses one of those that are open."

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
        # A record of the piece may leave another choice, as where those who do the work step off to.
        choices = [each for each in self.game.programs.entries[f"action:{reading.action.name}"].members if each]
        asks_choices = self.query.question_word or (reading.stand_in is PieceBinding.RECORD and len(choices) > 1)
        if self.query.is_about_pieces and (asks_choices or not why.open):
            found = self._open_to(self.pieces_of(names)[0], refused=False)
            wanted = {*(why.open or (reading.action.name,)), *self._same_words(reading)}
            hexes = tuple(each for each in found.hexes if wanted & {option.name for option in each.options})
            acts = tuple(each for each in found.acts if each.action in wanted and self._is_meant(each, found.piece))
            if hexes or acts:
                yield from open_option_lines(self.game, self.state, found._replace(hexes=hexes, acts=acts), side)
                return
            if self.assumes_choices(reading) and not (why.open or found.is_cut):
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
            refused = self._explained(reading, names).why
            why = reading.why if refused.open else refused
            self.chosen[-1] = reading._replace(why=why)
        yield from () if route or why.open else self._joint_lines(reading, names)
        yield from route or why.lines
        if why.open:
            agents = [each for each in self.pieces_of(reading.names) if self.state.side[each] == side]
            together = [*prefixed(TOGETHER, self._together(why.open) if len(agents) > 1 else ())]
            yield from together or (() if route else self._forecasts(why.open, reading.names))

    def _joint_lines(self, reading: ActionReading, names: Sequence[str]) -> Iterator[str]:
        """Yield the acts of a refused action that are open to the first piece with more of its side."""
        agents = [each for each in self.pieces_of(names[:1]) if self.state.side[each] == self.moment.side]
        if not agents or len(names) == 1 or self.moment.within or len(self.query.mentions[0].names) > 1:
            return
        found = self._open_to(agents[0], refused=False)
        same = (each for each in found.acts if each.action == reading.action.name)
        if acts := [each for each in same if all(self._chooses(each, name) for name in names[1:])]:
            yield f"{names[0]} may not do it alone, but with others:"
            listed = found._replace(hexes=(), acts=tuple(acts[:REASONS]), refusals=())
            yield from open_option_lines(self.game, self.state, listed, self.moment.side)

    def similar_action_lines(self) -> Iterator[str]:
        """Yield of actions with words of a query, but not with its verb, whether they are open."""
        for each in self.actions[:REASONS]:
            why = self._bind(each, self.query.names).why
            phrase = words.sentence(action_phrase(self.game, each.action.name)).rstrip(".")
            yield f"{phrase}: it is open." if why.open else why.lines[0]

    def _untied_lines(self, action: str, names: Sequence[str]) -> Iterator[str]:
        """Yield which of the named pieces an action cannot untie, as nothing is tied to any of them."""
        relations = self.roles[action].removed
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
