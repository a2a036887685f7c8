"""What plain words ask about play: the action they name, at the moment at which it is offered.

In: a game, a state and a `PlainQuery`. Out: lines. Names that are meant together (*T and H*) are answered one by one,
and then together; what follows another action (*fire and then move*) in the position after that.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from compiler.rulebook.index.stems import stems
from rulewright.option_views import with_accounts
from rulewright.table.decision_state import Moment, moments_of, offered_phases
from rulewright.table.named_actions import NamedAction, action_words, named_actions
from rulewright.table.open_option_lines import (
    act_names,
    forecast_lines,
    open_option_lines,
    open_route_lines,
    reach_lines,
)
from rulewright.table.option_lines import action_phrase
from rulewright.table.piece_details import detail_lines
from rulewright.table.plain_query import PlainQuery, parse_query
from rulewright.table.preview_lines import preview_of
from rulewright.table.refusal_lines import REASONS, WhyNot, explain_refusals
from rulewright.table.word_parser import parse_words
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.steps import nested_steps, offered_in
from runtime.play.choices import Decision
from runtime.play.game import Game
from runtime.play.piece_options import BUDGET, PieceOptions, SearchLimits, indices_of, open_to
from runtime.play.previews import chances_text
from runtime.players.player import as_seen
from runtime.state.position import State

# Before what is said of names that are meant together.
TOGETHER = "Together"
OWN_TURN = "This is about its own turn; what it may do in that of another side, these words do not tell."


class ExplainedAction(NamedTuple):
    """An action that a query may mean, and when; why it is refused, or by which actions it is open."""

    moment: Moment
    action: NamedAction
    why: WhyNot = WhyNot((), ())

    @property
    def takes_all(self) -> bool:
        """Return whether it takes all names."""
        return bool(self.why.open) or any(not each.unused_words for each in self.why.refusals)

    def misfit(self, name_count: int) -> int:
        """Return how little it answers: 0 if it takes all names and is open or refused by a question of the rules.

        A refusal by something else, as the edge of the map, is an answer if all names but one are taken. A search
        phrase is about all names: *leave a bunker* is no answer to whether one leaves another place.
        """
        if self.why.open or any(each.explanation for each in self.why.reasons):
            return 0 if self.takes_all else 1 if self.action.is_own else 3
        is_complete = self.takes_all and any(each.bound_word_count >= name_count for each in self.why.refusals)
        return 2 if is_complete else 3


class PlayReader:
    """The reading of one query. `moment` is the one that the lines are about."""

    def __init__(self, game: Game, state: State, query: PlainQuery) -> None:
        self.game, self.state, self.query = with_accounts(game), state, query
        self.moments = moments_of(self.game, state, query.pieces, of_other=query.asks_agent)
        # Each action at the first moment at which it is offered.
        first = {name: moment for moment in reversed(self.moments) for name in moment.actions}
        offered = dict.fromkeys(name for moment in self.moments for name in moment.actions)
        self.actions = [ExplainedAction(first[each.name], each) for each in named_actions(self.game, offered, query)]
        self.moment = next((each.moment for each in self.actions if each.action.is_own), self.moments[0])
        self.chosen: tuple[ExplainedAction, Sequence[str]] | None = None

    @property
    def seen(self) -> State:
        """Return the state as the deciding side may know it."""
        return as_seen(self.game, self.moment.entered.playthrough, self.moment.side).state

    def lines(self, *, has_questions: bool) -> Iterator[str]:
        """Yield what is open to the named things with the named actions, or the rules that refuse it.

        Two pieces without an action or a place could mean any action of one of them at the other, a place without an
        action or a piece any action there. These are left out unless the query has only names.
        """
        query = self.query
        is_about_places = query.question == "where" and query.asks_permission
        if not (has_questions or query.stems) and len(query.names) == 1 and (query.places or query.question == "where"):
            yield from detail_lines(self.seen, query.names[0])
        elif query.pieces and len(query.names) > 1 and (query.asks_chances or self._asks_figures()):
            yield from self._chance_lines()
        elif query.is_about_one_piece and (is_about_places or not (self.actions or query.topics)):
            yield from open_option_lines(self.game, self.state, self._open_to(query.pieces[0]), self.moment.side)
        elif self.actions:
            yield from self._action_lines(self.actions)
            if query.is_meanwhile and self.moment.active == self.moment.side:
                yield OWN_TURN
        else:
            yield from self._unread_lines(query.names, has_questions=has_questions)

    def _action_lines(self, actions: Sequence[ExplainedAction]) -> Iterator[str]:
        """Yield the lines of one of the actions, of names that are meant together one by one."""
        names = self.query.names
        cases = [*dict.fromkeys(product(*self.query.groups))]
        best = self._best(actions, names)
        if len(cases) == 1 or (best and best.why.open):
            yield from self._lines_of_reading(best, names)
            return
        found = [(case, self._best(actions, case)) for case in cases]
        for case, each in found:
            yield from prefixed(" and ".join(case), self._lines_of_reading(each, case))
        together = [*self._together([each.action.name for _, each in found if each])]
        if not together and all(each and each.why.open for _, each in found):
            together = ["no single action takes all of them."]
        yield from prefixed(TOGETHER, together)

    def _best(self, actions: Sequence[ExplainedAction], names: Sequence[str]) -> ExplainedAction | None:
        """Return the action that fits the names best, in the turn that is meant, by most words, an open one.

        If it does not answer, the only one with so many words is meant nevertheless.
        """

        def rank(each: ExplainedAction) -> tuple[int, bool, int, bool]:
            is_other_turn = self.query.is_meanwhile and each.moment.active == each.moment.side
            return each.misfit(len(names)), is_other_turn, -len(each.action.stems), not each.why.open

        found = sorted((self._explained(each, names) for each in actions), key=rank)
        is_clear = found and (
            found[0].misfit(len(names)) < 3 or rank(found[0]) < min(map(rank, found[1:]), default=(4,))
        )
        return found[0] if is_clear else None

    def _explained(self, reading: ExplainedAction, names: Sequence[str]) -> ExplainedAction:
        """Explain an action with all names, or without those that are words of it: *the fort* in coming out of it.

        If it takes a hex beside pieces, that of the last piece is meant, and not any.
        """
        members = self.game.programs.entries[f"action:{reading.action.name}"].members
        places = [self.state.hex[each] for each in self._pieces_of(names)[1:] if self.state.hex[each] >= 0]
        takes_pieces = sum(isinstance(each, graph.Piece) for each in members) > 1 and graph.Hex() in members
        placed = [*names, self.state.board.names[places[-1]]] if places and takes_pieces else names
        fewer = [each for each in names if reading.action.stems.isdisjoint(self._stems_of(each))] or names
        for tried in (placed, names, fewer, names):
            word_list = action_words(self.game, reading.moment, reading.action.name, tried, self.query)
            why = explain_refusals(self.game, reading.moment.entered.playthrough, word_list, reading.moment.side)
            reading = reading._replace(why=why)
            if reading.takes_all:
                break
        return reading

    def _pieces_of(self, names: Sequence[str]) -> list[int]:
        """Return the pieces among names, in their order."""
        return [piece for name in names for piece in self.query.pieces if self.state.sheets[piece].name == name]

    def _stems_of(self, name: str) -> list[str]:
        """Return the stems of a name, and of the counter and the kind of a piece."""
        sheets = [each for each in self.state.sheets if each.name == name]
        return stems(" ".join([name, *(f"{each.counter} {each.kind}".replace("_", " ") for each in sheets)]))

    def _lines_of_reading(self, reading: ExplainedAction | None, names: Sequence[str]) -> Iterator[str]:
        """Yield the lines of an action: its refusal, or that it is open, with the chances of its results.

        Asked how far, where or what for one piece, an open action is answered by its places and choices.
        """
        if reading is None:
            yield from self._unread_lines(names, has_questions=False)
            return
        self.moment, self.chosen, why = reading.moment, (reading, names), reading.why
        playthrough, side = self.moment.entered.playthrough, self.moment.side
        if why.open and self.query.question and self.query.is_about_one_piece:
            found = self._open_to(self.query.pieces[0])
            hexes = tuple(each for each in found.hexes if {*why.open} & {option.name for option in each.options})
            acts = tuple(each for each in found.acts if each.action in why.open)
            if hexes or acts:
                named_options = found._replace(hexes=hexes, acts=acts, refusals=())
                yield from open_option_lines(self.game, self.state, named_options, side)
                return
        offered = offered_in(self.game.programs.entries[f"action:{reading.action.name}"].procedure)
        goes_on = any(_moves(self.game, each) for each in offered)
        route = self._reach_lines(names) if goes_on else []
        route = route or (list(open_route_lines(self.game, playthrough, side, names)) if why.open else [])
        yield from route or why.lines
        if why.open:
            yield from self._forecasts(why.open, names)

    def _unread_lines(self, names: Sequence[str], *, has_questions: bool) -> Iterator[str]:
        """Yield the lines of words that no action fits: where they lead, or what any action could mean."""
        query, playthrough, side = self.query, self.moment.entered.playthrough, self.moment.side
        is_about_place = query.places and query.pieces and not query.question
        if is_about_place and (lines := self._reach_lines(names)):
            yield from lines
        elif self.actions:
            phrases = [*dict.fromkeys(action_phrase(self.game, each.action.name) for each in self.actions)]
            more = [f"{len(phrases) - REASONS} more"] if len(phrases) > REASONS else []
            listed = words.list_text([*phrases[:REASONS], *more])
            yield f"No action with these words takes {words.list_text(names)} (tried: {listed})."
        elif query.topics and not is_about_place:
            if query.question or not (has_questions or query.asks_permission):
                yield from self._forecasts(None, names)
        else:
            refused = explain_refusals(self.game, playthrough, names, side)
            is_refusal = any(each.explanation for each in refused.reasons)
            if not query.topics or (is_refusal and any(_moves(self.game, each) for each in refused.actions)):
                yield from refused.lines

    def _reach_lines(self, names: Sequence[str]) -> list[str]:
        """Return how far a piece gets to a place; nothing if its side has nothing to choose."""
        playthrough, decision = self.moment.entered
        is_open = len(decision.options) > 1
        return [*reach_lines(self.game, playthrough, self.moment.side, names)] if is_open else []

    def _open_to(self, piece: int, *, refused: bool = True) -> PieceOptions:
        """Return what is open to a piece, or against it, as far as the deciding side may know."""
        playthrough, decision = self.moment.entered
        seen = as_seen(self.game, playthrough, decision.side)
        return open_to(self.game, seen, decision, piece, SearchLimits(BUDGET), refused=refused)

    def _forecasts(self, actions: Collection[str] | None, names: Sequence[str]) -> Iterator[str]:
        """Yield the possible results of these actions, or of all, of the first of some pieces with the other names.

        A piece is meant as well by acts at its place, a place by acts at a piece in it.
        """
        if (pieces := self._pieces_of(names)) and len(names) > 1:
            targets = {*names, *(each for name in names for each in self._names_at(name))}
            targets.remove(self.state.sheets[pieces[0]].name)
            found = self._open_to(pieces[0], refused=False)
            yield from forecast_lines(self.game, self.seen, found, actions, targets)

    def _names_at(self, name: str) -> list[str]:
        """Return the names of the pieces in a place."""
        return [self.state.sheets[piece].name for piece in self.state.at.get(self.state.board.index.get(name, -1), ())]

    def _asks_figures(self) -> bool:
        """Return whether the query has a word for a figure that an attack is previewed with, as its strength.

        Printed factors are the same against all.
        """
        accounts = (program.procedure.account for program in self.game.programs.entries.values())
        fields = [field for each in accounts if each for field in each.fields]
        figures = {each for field in fields for each in (field.name, getattr(field.type, "measure", ""))}
        figures -= {each.name for kind in self.game.graph.vocabulary.kinds.values() for each in kind.printed}
        return self.query.ends_with_target and bool(self.query.topics.intersection(stems(" ".join(figures))))

    def _chance_lines(self) -> Iterator[str]:
        """Yield the results of attacks by the first named pieces on the others, at each moment that has some.

        Without any, yield what refuses them.
        """
        agents, *others = self.query.groups
        targets = [name for group in others for name in group]
        sides = {self.state.side[each] for each in self._pieces_of(targets)}
        moments = [each for each in self.moments if sides != {each.side}]  # Friends are no targets.
        named = {each.action.name for each in self.actions}
        found: dict[Moment, Sequence[str]] = {}
        for moment in moments:
            self.moment = moment
            actions = [each for each in moment.actions if not named or each in named]
            if lines := [line for agent in agents for line in self._forecasts(actions, [agent, *targets])]:
                together = prefixed(TOGETHER, self._together(actions)) if len(agents) > 1 else ()
                found[moment] = [*dict.fromkeys(lines), *together]
        if not found:
            for moment in moments:
                every = [ExplainedAction(moment, NamedAction(each, frozenset())) for each in moment.actions]
                named_here = [each for each in self.actions if each.moment is moment]
                best = self._best(named_here if named else every, [agents[0], *targets])
                if best and not best.why.open and best.misfit(len(targets) + 1) < (3 if named else 1):
                    found[moment] = best.why.lines
        self.moment = next(iter(found), self.moments[0])
        for moment, figures in found.items():
            yield from prefixed(moment.title(), figures) if len(found) > 1 else figures
        if not found:
            phases = words.list_text([*dict.fromkeys(each.phase for each in self.moments)])
            yield f"No action takes {words.list_text(self.query.names)} and has results (looked at: {phases})."

    def _together(self, actions: Collection[str]) -> Iterator[str]:
        """Yield the figures of these actions with all names at once, and the chances of their results.

        A place is meant as well by the pieces in it.
        """
        playthrough, decision = self.moment.entered
        variants = product(*([each, *self._names_at(each)] for each in self.query.names))
        found = set[str]()
        for action, names in product(dict.fromkeys(actions), [*variants]):
            line = parse_words(self.game, playthrough, decision, [action, *names])
            if line.indices and not line.unread_word and (seen := preview_of(self.game, playthrough, line.indices)):
                for sheet in (each for each in seen.sheets if each.text not in found):
                    found.add(sheet.text)
                    yield sheet.text
                    yield from (f"  {each}" for each in chances_text(sheet, sampled=bool(seen.sampled)))

    def later_lines(self, text: str) -> Iterator[str]:
        """Yield the answer to what follows after the first action is carried out."""
        if (state := self._state_after()) is None:
            yield "Then: what follows is not answered, as the first is not carried out."
            return
        # Without a piece of the side that acts, it is still one of those that acted before.
        sides = {state.side[piece] for piece in parse_query(state, text).pieces}
        names = [""] if self.moment.side in sides else self.query.names
        readers = [PlayReader(self.game, state, parse_query(state, f"{each} {text}")) for each in names]
        found = [(each, [*each.lines(has_questions=False)]) for each in readers]
        # Whoever can do it is meant: *R boards H and drives to B*.
        reader, lines = next((each for each in found if each[0].chosen and each[0].chosen[0].takes_all), found[0])
        order = offered_phases(self.game)
        if order.index(reader.moment.phase) < order.index(self.moment.phase):
            lines = ["not in this turn, in which that phase comes first."]
        unread = [f"not answered, as no action has a word of “{text.strip()}”."]
        yield from prefixed(f"Then, {reader.moment.title()}", lines or unread)

    def _state_after(self) -> State | None:
        """Return the state after the chosen action, with one result of its dice; None if it is not open.

        A move without a place is any move.
        """
        if self.chosen is None or not self.chosen[0].why.open:
            return None
        (reading, names), playthrough = self.chosen, self.moment.entered.playthrough.copy()
        for piece in self._pieces_of(names):
            found = self._open_to(piece, refused=False)
            acts = [each for each in found.acts if each.action in reading.why.open]
            choices = [(each.options, {*act_names(self.state, each)}) for each in acts]
            choices += [(each.options, {self.state.board.names[each.hex]}) for each in found.hexes]
            missing = {*names} - {self.state.sheets[piece].name}
            options = next((options for options, chosen in choices if missing <= chosen), None)
            for index in indices_of(self.game, playthrough, options or ()):
                decision = self.game.advance(playthrough)
                assert isinstance(decision, Decision)
                self.game.apply(playthrough, decision, index)
            if options:
                self.game.advance(playthrough)
                return playthrough.state
        return None


def prefixed(prefix: str, lines: Iterable[str]) -> Iterator[str]:
    """Yield lines with a prefix before those that are no details."""
    yield from (line if line.startswith(" ") else f"{prefix}: {line}" for line in lines)


def _moves(game: Game, action: str) -> bool:
    """Return whether an action moves a piece."""
    steps = nested_steps(game.programs.entries[f"action:{action}"].procedure.body)
    return any(isinstance(step, graph.Move) for step in steps)
