"""Who can act, for plain words that ask it: *which tanks can fire at P*, *what can T attack*.

In: a game, a state and a `PlainQuery`. Out: lines about the pieces that can, or why none can.
"""

from collections.abc import Iterable, Iterator, Sequence, Set
from functools import partial
from itertools import product

from rulewright.table.action_reader import ActionReading
from rulewright.table.attack_reader import AttackReader
from rulewright.table.decision_state import OfferMoment
from rulewright.table.open_option_lines import act_names, forecast_lines, open_option_lines, route_line
from rulewright.table.refusal_lines import FURTHER
from runtime.graph import words
from runtime.play.piece_options import OpenAct, PieceOptions
from runtime.play.routes import ReachedHex

# The most pieces of which it is tried why they cannot act.
MOST_AGENTS = 12


class AgentReader(AttackReader):
    """A reader of questions about who acts."""

    def _absence_lines(self) -> Iterator[str]:
        """Yield that nobody is in a place from which one would act, or that a piece is where it goes, or not where it
        leaves.
        """
        if self.empty:
            yield f"Nobody is in {words.list_text(self.empty)}."
        goals = {self.state.board.index[each] for each in self.query.destinations if each in self.state.board.index}
        for piece in self.query.pieces if len(goals) == 1 and not self.query.topics else ():
            if self.state.hex[piece] in goals:
                yield f"{self.state.sheets[piece].name} is in {self.state.board.names[self.state.hex[piece]]} already."
        for piece in self.query.pieces if self.query.asks_departure else ():
            place, names = self.state.hex[piece], self.state.board.names
            if place >= 0 and place not in self.query.places:
                left = words.list_text([names[each] for each in self.query.places])
                yield f"{self.state.sheets[piece].name} is in {names[place]}, and not in {left}."

    def _agent_lines(self, *, goes: bool) -> Iterator[str]:
        """Yield which pieces can do what the query names, to what it names or at all, or why none can.

        `goes`: without named actions, places that they get to count.
        """
        query, how = self.query, max((each.action.how for each in self.actions), default=0)
        named = {each.action.name for each in self.actions if each.action.how == how}
        goes = goes or not self.moving.isdisjoint(named)
        self.answered = query.topics if query.has("distance", "reach") else self.answered
        self.chosen += self.actions
        name = "".join(query.names)
        # *Destroy* may name an action, but is done by all that have results.
        wanted = [named, frozenset[str]()] if named and self.harm and name else [named]
        # *As it moves* is in its own turn.
        moments = sorted(self.moments, key=lambda each: query.during_other_act and each.side == each.active)
        answered_moments = list[OfferMoment]()
        for moment, actions in product(moments, wanted) if named or name else ():
            if any(each is moment for each in answered_moments):
                continue
            self.moment = moment
            acting = self._acting(moment.side)
            # What friends do, as to load it, is found among their own acts, and so is what is done to its place.
            is_foe = any(self.state.side[each] != moment.side for each in query.pieces)
            options = partial(self._named_options, named=actions, goes=goes)
            found = [*map(options, query.pieces if is_foe else acting)]
            if is_foe and not any(each.acts for each in found):
                found = [*map(options, acting)]
            if query.pieces and not is_foe:
                # Friends who fire together with it do nothing to it.
                found = [each._replace(acts=tuple(filter(self._is_among_friends, each.acts))) for each in found]
            able = [each for each in found if each.hexes or each.acts]
            if able and not name:
                others = [self.state.sheets[each.piece].name for each in found if each not in able]
                listed = words.list_text([self.state.sheets[each.piece].name for each in able])
                yield f"It is open to {listed}{f', and not to {words.list_text(others)}' if others else ''}."
            if answered_moments and able:
                yield f"{moment.title()}:"
            for each in able if name else ():
                yield from (route_line(self.state, each.piece, reached) for reached in each.hexes)
                acts = each._replace(hexes=())
                yield from open_option_lines(self.game, self.state, acts, moment.side) if acts.acts else ()
            if able and not answered_moments:
                self.has_agent = True
                shown_actions = {act.action for each in able for act in each.acts}
                shown_actions |= {option.name for each in able for reached in each.hexes for option in reached.options}
                self.chosen = [each for each in self.chosen if each.action.name in shown_actions]
                self.answered |= self.harm
            answered_moments += [moment] if able else []
            # What harms a piece may be done in several phases.
            if answered_moments and not (self.harm and query.pieces):
                return
        if answered_moments:
            self.moment = answered_moments[0]
            return
        yield from self._nobody_lines({*named}, goes=goes)

    def _nobody_lines(self, named: Set[str], *, goes: bool) -> Iterator[str]:
        """Yield that nobody can do what the query names, and why."""
        query, name = self.query, "".join(self.query.names)
        self.moment = next((each.moment for each in self.actions), self.moments[0])
        # It is acted on, and not who acts: a piece of another side stands for its place.
        tried = [each for each in self.actions if each.action.name in named]
        if own_sides := {self.state.side[each] for each in query.pieces}:
            # Who loads it is of its own side, who attacks it is of another one.
            tried = [
                each._replace(moment=moment)
                for each, moment in product(tried, self.moments)
                if each.action.name in moment.actions
                and (moment.side in own_sides) == self.roles[each.action.name].is_among_friends
            ]
        elsewhere = {*self.state.side} - own_sides - {""}
        if own_sides and named and not (tried or elsewhere):
            yield "No piece of another side is here."
            return
        by_name = [each for each in tried if not query.pieces or self.roles[each.action.name].object]
        spaces = [self.state.hex[each] for each in query.pieces if self.state.side[each] != self.moment.side]
        places = [self.state.board.names[each] for each in spaces if each >= 0]
        cases = (by_name, query.names), ([each for each in tried if each not in by_name], places)
        agents = [each for side in {each.moment.side for each in tried} for each in self._acting(side) if query.pieces]
        named_agents = ((each, self.state.sheets[each].name) for each in agents[:MOST_AGENTS])
        # Without anybody who acts it is refused by what they lack; what no rule refuses to one says nothing of others.
        by_agents = [
            self._first_refused([([each for each in tried if each.moment.side == self.state.side[agent]], names)])
            for agent, names in ((agent, (name, *query.names)) for agent, name in named_agents)
        ]
        readings = [each for each in by_agents if each]
        by_agent = min(readings, key=lambda each: each.sort_key(query), default=None)
        shared = _shared_reasons(readings) if len(readings) == len(agents) > 1 else ()
        refused = self._first_refused(cases)
        is_told = by_agent and (by_agent.why.explained or any(each in by_agent.why.lines[0] for each in query.names))
        if agents and (refused is None or self._acts_on_itself(refused) or is_told):
            refused = by_agent if is_told else None
        self.moment = refused.moment if refused else next((each.moment for each in tried), self.moment)
        side = words.side(self.moment.side, self.state.graph.vocabulary)
        does = "can do that" if named or self.harm else "can act" if query.pieces else "gets"
        on = f"{'on' if does == 'can act' else 'to'} {name}"
        if named or query.pieces or goes:
            yield f"Nothing of {side} {does}{f' {on}' if name else ''}."
        # That a choice has no candidate at all says nothing of this one.
        is_about_it = refused and not all(each.is_empty and not each.explanation for each in refused.why.refusals)
        yield from shared or (refused.why.lines if refused and is_about_it else ())

    def _first_refused(self, cases: Iterable[tuple[Sequence[ActionReading], Sequence[str]]]) -> ActionReading | None:
        """Return the refused reading that comes first, of some actions with names each; None if there is none."""
        readings = (self.best(actions, names) for actions, names in cases if names)
        # What is open takes somebody else there.
        refused = (each for each in readings if each and not each.why.open)
        return min(refused, key=lambda each: each.sort_key(self.query), default=None)

    def _acts_on_itself(self, reading: ActionReading) -> bool:
        """Return whether a reading has nobody else who acts: a choice that no word names, or the piece acted on."""
        argument_lists = (each.explanation.arguments for each in reading.why.reasons if each.explanation)
        pieces = {*self.query.pieces}
        is_both = any(sum(type(value) is int and value in pieces for value in values) > 1 for values in argument_lists)
        return is_both or self.assumes_choices(reading)

    def _acting(self, side: str) -> list[int]:
        """Return the pieces of a side on the map that may be who acts."""
        known = self.query.agents or range(len(self.state.sheets))
        on_map = [each for each in known if self.state.hex[each] >= 0 and each not in self.query.pieces]
        return [each for each in on_map if self.state.side[each] == side]

    def _is_among_friends(self, act: OpenAct) -> bool:
        """Return whether an act is one with pieces of one side, as to load."""
        return self.roles[act.action].is_among_friends

    def _named_options(self, piece: int, *, named: Set[str], goes: bool) -> PieceOptions:
        """Return what is open to a piece by named actions, or by all, to or on what the query names, or at all."""
        found, query = self._open_to(piece, refused=False), self.query
        goals = {*query.names, *(each for name in query.names for each in self._names_at(name))}
        foes = (
            each for each in query.pieces if self.state.side[each] != self.moment.side and self.state.hex[each] >= 0
        )
        goals.update(self.state.board.names[self.state.hex[each]] for each in foes)
        goals = {self.state.sheets[each].name for each in query.agents} if piece in query.pieces else goals

        def is_wanted(reached: ReachedHex) -> bool:
            is_named = not named.isdisjoint(each.name for each in reached.options)
            return is_named if not query.names else goes and reached.hex in query.places

        acts = [each for each in found.acts if each.action in named or (not named and query.pieces)]
        acts = [each for each in acts if named or not self.harm or has_results(each)]
        acts = [each for each in acts if not goals or not goals.isdisjoint(act_names(self.state, each))]
        own_names = {
            sheet.name for at, sheet in enumerate(self.state.sheets) if self.state.side[at] == self.moment.side
        }
        others = (
            own_names.difference(self.state.sheets[each].name for each in query.agents) if query.is_passive else set()
        )
        if query.agents:
            acts = [each for each in acts if others.isdisjoint(act_names(self.state, each))] or acts
        return found._replace(hexes=tuple(filter(is_wanted, found.hexes)), acts=tuple(acts), refusals=())

    def _target_lines(self, piece: int) -> Iterator[str]:
        """Yield the acts of a piece that have results, at the first moment at which it has some."""
        for moment in self.moments:
            self.moment = moment
            found = self._open_to(piece, refused=False)
            acts = tuple(filter(has_results, found.acts))
            if acts:
                found, faces = found._replace(hexes=(), acts=acts), self._faces()
                if faces is None:
                    yield from open_option_lines(self.game, self.state, found, moment.side)
                else:
                    yield from forecast_lines(self.game, self.visible_state, found, None, None, faces)
                return


def has_results(act: OpenAct) -> bool:
    """Return whether dice decide an act, with results that are previewed."""
    return act.preview is not None and any(each.chances for each in act.preview.sheets)


def _shared_reasons(readings: Sequence[ActionReading]) -> Sequence[str]:
    """Return the sentences of the further reasons that all readings have: what refuses it whoever acts.

    One that is the first reason of a reading is told with its details there.
    """
    first, *others = ([each.lines[0].rpartition(FURTHER)[2] for each in reading.why.reasons] for reading in readings)
    return [each for each in first[1:] if all(each in sentences for sentences in others)]
