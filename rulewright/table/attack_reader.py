"""What attacks plain words ask about: their odds, figures and results, at each moment at which they are offered.

In: a game, a state and a `PlainQuery`. Out: lines, of several pieces one by one and then together.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import product

from compiler.rulebook.index.stems import stems
from rulewright.option_views import with_accounts
from rulewright.table.action_reader import NO_ANSWER, PARTIAL, ActionReader, ActionReading
from rulewright.table.decision_state import OfferMoment, moments_of
from rulewright.table.lexicon import WORDS, has_role
from rulewright.table.named_actions import (
    BY_NAME,
    BY_VERB,
    NamedAction,
    action_stems,
    named_actions,
    synonyms,
)
from rulewright.table.open_option_lines import act_names, forecast_lines
from rulewright.table.option_reader import read_choice
from rulewright.table.piece_details import look_at_piece
from rulewright.table.plain_query import PlainQuery
from rulewright.table.preview_lines import preview_of
from rulewright.table.refusal_lines import open_by
from rulewright.table.roles import action_roles
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.closure import transitive_closure
from runtime.graph.movement import moving_actions
from runtime.graph.steps import nested_steps, offered_in
from runtime.play.game import Game
from runtime.play.piece_options import BUDGET, OpenAct, PieceOptions, SearchLimits, open_to
from runtime.play.previews import chances_text
from runtime.players.player import as_seen
from runtime.state.position import State

# Before what is said of names that are meant together.
TOGETHER = "Together"
ACTION = "action"


class AttackReader(ActionReader):
    """A reader of attacks. `moment` is the one that the lines are about."""

    def __init__(self, game: Game, state: State, query: PlainQuery, within: OfferMoment | None = None) -> None:
        super().__init__(with_accounts(game), state, query)
        self.harm = self._harm_stems()
        self.moving, self.roles = moving_actions(self.game.graph), action_roles(self.game.graph)
        self.empty: Sequence[str] = ()  # Places from which somebody acts, with nobody there.
        # *Can T be set up in D* is about a place for what is off the map.
        is_placed = all(state.hex[each] >= 0 for each in query.pieces)
        if query.may_be_passive and (is_placed or len(query.mentions) == 1):
            # *Can T be moved to D* is about where T goes, *can T be towed to D* about who tows it.
            named = named_actions(self.game, self.roles, query)
            named = [each for each in named if not query.destinations or self.roles[each.name].added]
            acts = any(each.how >= BY_VERB or query.participle in each.stems for each in named)
            if acts or (self.harm and not query.destinations):
                query = query.without_places_of_target(state)
                self.empty = query.names[1:]
                self.query = query = query.with_agents_at(state.at)._replace(is_passive=True)
                self.empty = () if query.agents else self.empty
        # Who acts on what is in a place is of the other side, who gets there is not.
        places = () if query.has("distance", "reach") or not query.has_open_agent else query.places
        pieces = query.pieces or [piece for place in places for piece in state.at.get(place, ())]
        sides = {state.side[each] for each in query.agents}
        of_other = query.has_open_agent and bool(pieces)
        if query.has_open_agent and len(sides) == 1:
            pieces, of_other = query.agents, False
        self.moments = moments_of(self.game, state, pieces, of_other=of_other)
        self.moments += moments_of(self.game, state, pieces, of_other=False) if of_other else []
        self.moments = [within] if within else self.moments
        # Each action at the first moment at which it is offered.
        self.first_moments = {name: moment for moment in reversed(self.moments) for name in moment.actions}
        offered = dict.fromkeys(name for moment in self.moments for name in moment.actions)
        found = {each.name: each for each in named_actions(self.game, offered, query)}
        # Words for what is done in one's own turn need not be those of a reaction: *shoot*, and *fire at what moves*.
        reactions = [each.actions for each in self.moments if not within and self._is_reaction_now(each)]
        found |= {each.name: each for names in reactions for each in named_actions(self.game, names, query)}
        self.actions = [self._at_first(each) for each in found.values()]
        if any(self._is_reaction_now(each.moment) for each in self.actions if each.action.how >= BY_VERB):
            self.query = query._replace(during_other_act=True)
        self.moment = next((each.moment for each in self.actions if each.action.how), self.moments[0])
        self.chosen: list[ActionReading] = []  # The readings that the lines are about.
        self.answered: frozenset[str] = frozenset()  # The stems of other words that they answer.
        self.has_agent = False  # The lines are about pieces that can do what is asked.
        self.has_question = False  # A question of the rules has all topics of the query.
        self.tells_later_acts = False  # The lines are also about what follows the first act.
        self.last_action = ""  # The action by which the followed act takes its last step.
        self.reached: Sequence[str] = ()  # The piece and the place, if the lines are about where it gets.

    def offered_by(self, action: str) -> list[str]:
        """Return the actions that an action offers."""
        return offered_in(self.game.programs.entries[f"action:{action}"].procedure)

    def moves_pieces(self, action: str) -> bool:
        """Return whether an action moves pieces, or offers one that does."""
        return not self.moving.isdisjoint((action, *self.offered_by(action)))

    def _is_reaction_now(self, moment: OfferMoment) -> bool:
        """Return whether a moment is one of the turn of the other side, which the query or the position is about."""
        is_now = (moment.active, moment.phase) == (self.state.player, self.state.phase)
        return moment.side != moment.active and (is_now or self.query.during_other_act)

    def _at_first(self, action: NamedAction) -> ActionReading:
        """Return the reading of an action at the first moment at which it is offered."""
        return ActionReading(self.first_moments[action.name], action)

    def _widen_to_attacks(self, names: Sequence[str]) -> None:
        """Add the actions that throw dice for results to those that words for harm name, if no rule refuses these.

        The same word may name an action of other pieces: that a tank is no plane does not tell why it may not attack.
        """
        best = self.best(self.actions, names)
        is_named = any(each.action.how == BY_NAME for each in self.actions)
        if self.harm and not is_named and not (best and (best.why.explained or best.why.open)):
            known = {each.action.name for each in self.actions}
            attacks = (each for each in self.first_moments if each not in known and self._throws_for_results(each))
            self.actions += [self._at_first(NamedAction(each, self.harm)) for each in attacks]

    def _has_named_target(self) -> bool:
        """Return whether a word for harm names an action with its object: *destroy the bridge* is work of engineers."""
        named = (each.action for each in self.actions if each.action.how >= BY_VERB)
        return any(self.harm & each.stems and each.stems - self.harm for each in named)

    def _throws_for_results(self, action: str) -> bool:
        """Return whether an action, or a resolution that it performs, throws dice and tells results."""
        procedures = self.game.graph.procedures

        def resolutions_of(key: str) -> list[str]:
            steps = nested_steps(procedures[key].body)
            return [f"resolution:{each.resolution}" for each in steps if isinstance(each, graph.Do)]

        reached = transitive_closure((f"{ACTION}:{action}",), resolutions_of)
        throwing = (each for each in reached if any(isinstance(step, graph.Roll) for step in procedures[each].body))
        return any(procedures[each].account for each in throwing)

    @property
    def visible_state(self) -> State:
        """Return the state as the deciding side may know it."""
        return as_seen(self.game, self.moment.entered.playthrough, self.moment.side).state

    def _harm_stems(self) -> frozenset[str]:
        """Return the topics that say what attacks do to others: verbs, words for these, and statuses that they set."""
        found = {each for each in self.query.topics if has_role("harm", [each])}
        others = synonyms(self.game.graph, self.query)
        found.update(
            *(query_words for query_words, term in others if term and all(has_role("harm", [each]) for each in term))
        )
        statuses = {*stems(" ".join(self._statuses_of_attacks()).replace("_", " "))}
        return frozenset(found | (self.query.topics & statuses - action_stems(self.game)))

    def _statuses_of_attacks(self) -> Iterator[str]:
        """Yield the statuses that procedures with results set on pieces, by themselves or by resolutions."""
        procedures, kinds = self.game.graph.procedures, self.game.graph.vocabulary.kinds
        left = [each for each in procedures.values() if each.account]
        known = set[str]()
        while left:
            for step in nested_steps(left.pop().body):
                if isinstance(step, graph.Mark) and step.on and step.owner in kinds:
                    yield step.status
                elif isinstance(step, graph.Do) and step.resolution not in known:
                    known.add(step.resolution)
                    left.append(procedures[f"resolution:{step.resolution}"])

    def _open_to(self, piece: int, *, refused: bool = True) -> PieceOptions:
        """Return what is open to a piece, or against it, as far as the deciding side may know."""
        playthrough, decision = self.moment.entered
        seen = as_seen(self.game, playthrough, decision.side)
        return open_to(self.game, seen, decision, piece, SearchLimits(BUDGET), refused=refused)

    def opened_by_acts(self, reading: ActionReading, names: Sequence[str]) -> ActionReading:
        """Return a refused reading as open if an open act of its first piece has all of the other names.

        A refusal is about the first choices that the words fit, and others may be open: a plane among those that drop
        loads, and not among those that strafe. Nobody acts with it, though. A piece is meant by its place as well,
        where an act chooses that first and no piece of its side.
        """
        self.moment, others = reading.moment, names[1:]
        agents = [each for each in self.pieces_of(names[:1]) if self.state.side[each] == self.moment.side]
        if reading.why.open or not (agents and others) or self.moment.within:
            return reading
        found = self._open_to(agents[0], refused=False)
        acts = [each for each in found.acts if each.action == reading.action.name and self._is_meant(each, agents[0])]
        alone = [each for each in acts if self._acts_alone(each, agents[0])]
        if any(all(self._chooses(act, name) for name in others) for act in alone):
            return reading._replace(why=open_by(self.game, [reading.action.name]), names=tuple(names))
        return reading

    def _acts_alone(self, act: OpenAct, piece: int) -> bool:
        """Return whether a piece is alone in each set of an act in which it is."""
        groups = (each.value for each in act.chosen if isinstance(each.type, graph.Many))
        return all(len(each) == 1 for each in groups if piece in each)

    def _chooses(self, act: OpenAct, name: str) -> bool:
        """Return whether an act has a piece among its choices, or a place, or the place of a piece, as the first."""
        chosen = set[int]()
        for each in act.chosen:
            if isinstance(each.type, graph.Many) and isinstance(each.type.of, graph.Piece):
                chosen.update(each.value)
            elif isinstance(each.type, graph.Piece):
                chosen.add(each.value)
        place = next((each.value for each in act.chosen if isinstance(each.type, graph.Hex)), None)
        pieces = self.pieces_of([name])
        if not pieces:
            return place is not None and self.state.board.index.get(name) == place
        by_place = self.state.hex[pieces[0]] == place
        sides = {self.state.side[each] for each in chosen}
        return pieces[0] in chosen or (by_place and self.state.side[pieces[0]] not in sides)

    def _names_at(self, name: str) -> list[str]:
        """Return the names of the pieces in a place."""
        there = self.state.at.get(self.state.board.index.get(name, -1), ())
        return [self.state.sheets[piece].name for piece in there]

    def _places_of(self, name: str) -> list[str]:
        """Return the names of the places of the pieces of a name."""
        places = (self.state.hex[each] for each in self.pieces_of([name]))
        return [self.state.board.names[each] for each in places if each >= 0]

    def _forecasts(self, actions: Collection[str] | None, names: Sequence[str]) -> Iterator[str]:
        """Yield the possible results of these actions, or of all, of the first of some pieces with the other names.

        A piece is meant as well by acts at its place, a place by acts at a piece in it.
        """
        if (pieces := self.pieces_of(names)) and len(names) > 1:
            targets = {*names, *(each for name in names for each in self._names_at(name))}
            targets.remove(self.state.sheets[pieces[0]].name)
            found = self._open_to(pieces[0], refused=False)
            found = found._replace(acts=tuple(each for each in found.acts if self._is_meant(each, found.piece)))
            yield from forecast_lines(self.game, self.visible_state, found, actions, targets, self._faces())

    def _faces(self) -> Collection[int] | None:
        """Return the numbers on a die that the query names, all if they are empty; None if it names no dice."""
        return self.query.numbers.values() if self.query.has("dice") else None

    def _is_meant(self, act: OpenAct, piece: int) -> bool:
        """Return whether an act is that of the words: with a piece in the role that they name (*strafe*: strafers).

        Of several named pieces that act, no others act with them.
        """
        role = self.roles[act.action].role_of(self.query.topics, self.query.agent_kind)
        agents = {each for group in self.query.mentions[:1] for each in self.pieces_of(group.names)}
        groups = (each.value for each in act.chosen if isinstance(each.type, graph.Many) and piece in each.value)
        is_named = len(agents) == 1 or all(agents.issuperset(each) for each in groups)
        values = (each.value for each in act.chosen if each.name == role)
        return is_named and (
            not role or any(piece in (value if isinstance(value, tuple) else (value,)) for value in values)
        )

    def _asks_figures(self) -> bool:
        """Return whether the query has a word for a figure that an attack is previewed with, as its strength."""
        if self.query.has("defense"):
            return True
        return self.query.last_preposition in WORDS["target"] and not self.query.topics.isdisjoint(self._figure_stems())

    def _figure_stems(self) -> list[str]:
        """Return the stems of the figures that attacks are previewed with; printed factors are the same against all."""
        accounts = (program.procedure.account for program in self.game.programs.entries.values())
        fields = [field for each in accounts if each for field in each.fields]
        figures = {each for field in fields for each in (field.name, getattr(field.type, "measure", ""))}
        figures -= {each.name for kind in self.game.graph.vocabulary.kinds.values() for each in kind.printed}
        return stems(" ".join(figures).replace("_", " "))

    def _chance_lines(self) -> Iterator[str]:
        """Yield the results of attacks by the first named pieces on the others, at each moment that has some.

        Without any, yield what refuses them.
        """
        roles = ("chance", "dice", "defense", "distance", "reach")
        known = frozenset(each for each in self.query.topics if any(has_role(role, [each]) for role in roles))
        self.answered = known.union(
            self.harm, self.query.numbers, self._figure_stems(), *(each.action.stems for each in self.actions)
        )
        agents, *others = (each.names for each in self.query.mentions)
        targets = [name for group in others for name in group]
        sides = {self.state.side[each] for each in self.pieces_of(targets)}
        moments = [each for each in self.moments if sides != {each.side}]  # Friends are no targets.
        named = {each.action.name for each in self.actions}
        found: dict[OfferMoment, Sequence[str]] = {}
        for moment in moments:
            self.moment = moment
            actions = [each for each in self.moment.actions if not named or each in named]
            figures = {each: [*self._forecasts(actions, [each, *targets])] for each in agents}
            if any(figures.values()):
                refused = {each: [*prefixed(each, self._refused_chances([each, *targets]))] for each in agents}
                lines = (line for each in agents for line in figures[each] or refused[each])
                together = prefixed(TOGETHER, self._together(actions)) if len(agents) > 1 else ()
                found[moment] = [*dict.fromkeys(lines), *together]
        for moment in () if found else moments:
            self.moment = moment
            if refusal := self._refused_chances([agents[0], *targets]):
                found[moment] = refusal
        self.moment = next(iter(found), self.moments[0])
        if self.query.has("defense"):
            yield from (line for each in self.pieces_of(targets) for line in [*look_at_piece(self.state, each)][:2])
        for moment, moment_lines in found.items():
            yield from prefixed(moment.title(), moment_lines) if len(found) > 1 else moment_lines
        if not found:
            phases = words.list_text([*dict.fromkeys(each.phase for each in self.moments)])
            yield f"No action takes {words.list_text(self.query.names)} and has results (looked at: {phases})."

    def _refused_chances(self, names: Sequence[str]) -> Sequence[str]:
        """Return why no attack with these names is open at the present moment."""
        attacks = (each for each in self.moment.actions if not self.harm or self._throws_for_results(each))
        every = [ActionReading(self.moment, NamedAction(each, frozenset())) for each in attacks]
        named = [each for each in self.actions if each.moment is self.moment]
        best = self.best(named if self.actions else every, names)
        is_answer = best and not best.why.open and best.quality < (NO_ANSWER if self.actions else PARTIAL)
        return best.why.lines if best and is_answer else ()

    def _together(self, actions: Collection[str]) -> Iterator[str]:
        """Yield the figures of these actions with all names at once, and the chances of their results.

        A place is meant as well by the pieces in it.
        """
        playthrough, decision = self.moment.entered
        agents, *others = (each.names for each in self.query.mentions)
        targets = [[each, *self._names_at(each), *self._places_of(each)] for group in others for each in group]
        found = set[str]()
        for action, goals in product(dict.fromkeys(actions), [*product(*targets)]):
            # An action lets choose the target first, or who attacks it.
            for names in ([*goals, *agents], [*agents, *goals]):
                line = read_choice(self.game, playthrough, decision, [action, *names])
                if line.indices and not line.unread_word and (seen := preview_of(self.game, playthrough, line.indices)):
                    for sheet in (each for each in seen.sheets if each.text not in found):
                        found.add(sheet.text)
                        yield sheet.text
                        yield from (f"  {each}" for each in chances_text(sheet, sampled=bool(seen.sampled)))
                    break
        if found or len({*agents}) == 1:
            return
        # Where no other choice is left, no word is needed, and none is read.
        first = self.pieces_of(agents)[0]
        for act in self._open_to(first, refused=False).acts:
            chosen = {*act_names(self.state, act)}
            takes_all = chosen.issuperset(agents) and not any(chosen.isdisjoint(each) for each in targets)
            if act.preview and act.action in actions and takes_all and self._is_meant(act, first):
                for sheet in act.preview.sheets:
                    yield sheet.text
                    yield from (f"  {each}" for each in chances_text(sheet, sampled=bool(act.preview.sampled)))


def prefixed(prefix: str, lines: Iterable[str]) -> Iterator[str]:
    """Yield lines with a prefix before those that are no details."""
    yield from (line if line.startswith(" ") else f"{prefix}: {line}" for line in lines)
