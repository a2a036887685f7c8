"""Reachability of a piece over several steps: a best-first search by remaining allowance.

In: trials, and the open steps at the current hex of the piece. Out: a `ReachedHex` for each hex, with its path.
"""

from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from heapq import heappop, heappush
from typing import NamedTuple

from runtime.graph import nodes as graph
from runtime.graph.answer_errors import Unanswered
from runtime.graph.free_names import free_names
from runtime.play.option_trials import BROKEN, OTHERS, OWN, WAITS_FOR_DIE, OptionTrials, TrialPlaythrough
from runtime.play.options import END, Option
from runtime.play.piece_choices import HeadPrefix, PieceChoiceSearch
from runtime.play.playthrough import Playthrough
from runtime.play.programs import Program
from runtime.state.position import State
from runtime.state.record import Value


class ReachedHex(NamedTuple):
    """A hex that a piece can reach.

    `route` are the hexes of the path without its start; `options` the options to apply, up to a decision of another
    side (`asks_others`: there is one). `allowance` is the remaining allowance after the last step, `cost` the
    difference from the start; both None without an account. `type` is theirs. `stops`: the piece may end there.
    `others` are actions other than steps that are open there to the piece.
    """

    hex: int
    route: tuple[int, ...]
    options: tuple[Option, ...]
    cost: Value
    allowance: Value
    type: graph.Number | None
    stops: bool
    asks_others: bool
    others: tuple[str, ...]


# The changes of the piece besides place and allowance: part, subject and new value.
_Changes = dict[tuple[str, str, Value], Value]


class _RouteNode(NamedTuple):
    """A node of the search: the prefix of choices, the route, the changes of the piece, and the previous node.

    `asks_others`: another side decided on the last step; not determined yet where it was assumed to decline.
    """

    prefix: HeadPrefix
    action: str
    route: tuple[int, ...]
    asks_others: bool
    changes: _Changes
    before: "_RouteNode | None"


class RouteSearch:
    """The search for one piece from one position."""

    def __init__(self, trials: OptionTrials, piece: int, playthrough: Playthrough) -> None:
        """Start at the current hex of the piece."""
        self.trials, self.choices = trials, PieceChoiceSearch(trials, piece, declining=True)
        self.state, self.piece = playthrough.state, piece
        self.kind_prefix = f"{playthrough.state.kind[piece]}."
        self.programs = trials.machine.programs.entries
        self.remainders = _remaining_allowances(self.programs)
        reads = trials.machine.evaluator.reads
        spent = [slot for each in self.remainders.values() for slot in reads.reads_of_expression(each.value) or ()]
        self.spent_names = frozenset(slot.name for slot in spent)
        self.queue: list[tuple[Fraction, int, int, _RouteNode]] = []
        self.visited = {(self.state.hex[self.piece], _as_set({}))}
        self.reached: dict[int, tuple[_RouteNode, ReachedHex]] = {}
        self.decisions: dict[tuple[Option, ...], _RouteNode | None] = {}

    def is_step(self, action: str) -> bool:
        """Return whether an action may be a step: it chooses one hex, and besides at most the piece."""
        program = self.programs.get(f"action:{action}")
        if program is None:
            return False
        prefix = zip(program.steps[: program.head_length], program.members, strict=False)
        members = [None if step.how else member for step, member in prefix if isinstance(step, graph.Choose)]
        hexes = sum(isinstance(member, graph.Hex) for member in members)
        return hexes == 1 and all(isinstance(member, graph.Hex | graph.Piece) for member in members)

    def add(self, prefix: HeadPrefix, action: str, before: "_RouteNode | None" = None) -> None:
        """Push the node of a step, from the start or from an earlier node."""
        route = (*(before.route if before else ()), prefix.trial.playthrough.state.hex[self.piece])
        asks = False
        changes = self._changes(before.changes if before else {}, prefix.trial.playthrough)
        trial: TrialPlaythrough | None = prefix.trial
        while trial is not None and trial.status == OTHERS:
            asks = True
            trial = self.trials.decline_others(trial.playthrough)
            changes = changes if trial is None else self._changes(changes, trial.playthrough)
        if trial is None or trial.playthrough.state.hex[self.piece] != route[-1]:
            trial = prefix.trial
        stop = _RouteNode(prefix._replace(trial=trial), action, route, asks, changes, before)
        _, left, first = self._left(action, trial.playthrough.state)
        worth = Fraction(len(route)) if left is None or first is None else Fraction(first - left)
        heappush(self.queue, (worth, len(route), self.trials.trial_count, stop))

    def reached_hexes(self) -> tuple[ReachedHex, ...]:
        """Run the search to its end; return the hexes in order of cost."""
        while self.queue and not self.trials.is_canceled():
            _, _, _, stop = heappop(self.queue)
            space = stop.route[-1]
            key = space, _as_set(stop.changes)
            if key not in self.visited:
                self.visited.add(key)
                reached = self._further(stop)
                if space != self.state.hex[self.piece] and (
                    space not in self.reached or not self.reached[space][1].stops
                ):
                    self.reached[space] = stop, reached
        return tuple([self._until_asked(stop, reached) for stop, reached in self.reached.values()])

    def _further(self, stop: _RouteNode) -> ReachedHex:
        """Expand a node by every step, and return its result."""
        playthrough, stops, others = stop.prefix.trial.playthrough, True, list[str]()
        if stop.prefix.trial.status == OWN:
            step = self.trials.site(playthrough).step
            inner = isinstance(step, graph.Choose) or any(arguments for _, arguments in step.actions)
            for option in self.trials.offered_options(playthrough) if isinstance(step, graph.Offer) else ():
                if option.kind == END:
                    stops = not inner or self.trials.is_open(playthrough, option)
                elif (self.choices.takes_piece(option) or not option.value) and self._may_step(
                    option, others, playthrough
                ):
                    self._step(stop, option)
        type_, left, first = self._left(stop.action, playthrough.state)
        cost = None if left is None or first is None else first - left
        return ReachedHex(
            stop.route[-1],
            stop.route,
            stop.prefix.options,
            cost,
            left,
            type_,
            stops,
            asks_others=False,
            others=tuple(others),
        )

    def _until_asked(self, stop: _RouteNode, reached: ReachedHex) -> ReachedHex:
        """Return the result with the decisions of other sides on its path; the options then end at the first.

        They are determined last, as that takes longer than the search, and not after cancellation.
        """
        node = self._first_asking(stop)
        return reached if node is None else reached._replace(asks_others=True, options=node.prefix.options)

    def _first_asking(self, stop: _RouteNode) -> "_RouteNode | None":
        """Return the first node on the path at which another side has an open action."""
        key = stop.prefix.options
        if key not in self.decisions:
            found = self._first_asking(stop.before) if stop.before else None
            self.decisions[key] = found or (stop if stop.asks_others or self._may_act(stop) else None)
        return self.decisions[key]

    def _may_act(self, stop: _RouteNode) -> bool:
        """Return whether other sides, assumed to decline, have an open action on the last step of a node."""
        prefix = stop.prefix
        if not prefix.trial.declined:
            return False
        trial = self.trials.take(prefix.previous_trial.playthrough, prefix.options[-1])
        return trial is not None and trial.status == OTHERS

    def _may_step(self, option: Option, others: list[str], playthrough: Playthrough) -> bool:
        """Return whether an action may be a step from here; collect other actions open to the piece."""
        if self.is_step(option.name):
            return self._may_take_piece(option, playthrough) and self.trials.is_open(playthrough, option)
        if self.choices.takes_piece(option) and self.trials.is_open(playthrough, option):
            others.append(option.name)
        return False

    def _may_take_piece(self, option: Option, playthrough: Playthrough) -> bool:
        """Return whether an action can choose the piece, by the filter of the only piece that it chooses.

        A cheap necessary condition: testing whether the action is open searches for any piece that can take it.
        """
        program = self.programs[f"action:{option.name}"]
        prefix = list(zip(program.steps[: program.head_length], program.members, strict=False))
        pieces = [step for step, member in prefix if isinstance(step, graph.Choose) and isinstance(member, graph.Piece)]
        if self.choices.takes_piece(option) or len(pieces) != 1 or pieces[0].how:
            return True
        match pieces[0].source:
            case graph.Fold("gather", var, among, condition, None):
                machine = self.trials.machine
                evaluate = machine.evaluator.evaluator.evaluate
                names = {
                    **program.bind_parameters(option.value or (), self.trials.side),
                    var: self.piece,
                }
                with suppress(Unanswered, KeyError):  # It may rest on what is only chosen before.
                    among_them = self.piece in evaluate(playthrough.state, among, names)
                    return among_them and (condition is None or bool(evaluate(playthrough.state, condition, names)))
            case _:
                pass
        return True

    def _step(self, stop: _RouteNode, option: Option) -> None:
        """Apply an action in every way that is a step into a hex that is not final yet."""
        trial = self.trials.take(stop.prefix.trial.playthrough, option, declining=True)
        if trial is not None and trial.declined:
            trial = self.trials.take(stop.prefix.trial.playthrough, option)
        if trial is None:
            return
        unchanged = _as_set(stop.changes)
        prefix = HeadPrefix(
            (*stop.prefix.options, option), (), self.choices.takes_piece(option), trial, stop.prefix.trial
        )
        for each in self.choices.successors(prefix, lambda h: (h, unchanged) in self.visited):
            if each.trial.status in (WAITS_FOR_DIE, BROKEN):
                continue
            space = each.trial.playthrough.state.hex[self.piece]
            if space >= 0 and space != stop.route[-1]:
                self.add(each, option.name, stop)

    def _left(self, action: str, state: State) -> tuple[graph.Number | None, Value, Value]:
        """Return the allowance after an action and before the move; None where there is no account."""
        remainder = self.remainders.get(action)
        if remainder is None:
            return None, None, None
        names = {remainder.piece: self.piece}
        evaluate = self.trials.machine.evaluator.evaluator.evaluate
        try:
            left, first = evaluate(state, remainder.value, names), evaluate(self.state, remainder.value, names)
        except Unanswered:
            return None, None, None
        return remainder.type, left, first

    def _changes(self, before: _Changes, playthrough: Playthrough) -> _Changes:
        """Return the changes of the piece by a step, besides its place and its allowance."""
        changes = dict(before)
        for event in playthrough.journal:
            match event.kind:
                case "mark" | "track":
                    is_about = event.subject == self.piece and event.key.startswith(self.kind_prefix)
                case "pair":
                    is_about = self.piece in event.subject
                case _:
                    is_about = False
            if is_about and event.key not in self.spent_names:
                changes[event.kind, event.key, event.subject] = event.new
        return changes


def _as_set(changes: _Changes) -> frozenset[Value]:
    """Return changes as a comparable key, without collections, which hold the path itself."""
    return frozenset((*key, new) for key, new in changes.items() if not isinstance(new, tuple))


# ---------------------------------------------------------------- the remaining allowance of a piece


class _RemainingAllowance(NamedTuple):
    """A remaining allowance: its field, the name of the piece in the action, the expression and its type."""

    name: str
    piece: str
    value: graph.Expr
    type: graph.Number


def _remaining_allowances(programs: Mapping[str, Program]) -> dict[str, _RemainingAllowance]:
    """Return the remaining allowance by action, for actions with such a field; the first one of each."""
    return {
        program.procedure.name: found
        for program in programs.values()
        if program.procedure.what == "action" and (found := _remaining_allowance(program)) is not None
    }


def _remaining_allowance(program: Program) -> _RemainingAllowance | None:
    """Return the remaining allowance of an action; None without such a field."""
    account = program.procedure.account
    pieces = piece_names(program)
    for field in account.fields if account else ():
        names = free_names(field.value)
        if field.moment == "after" and isinstance(field.type, graph.Number) and len(names) == 1 and names <= pieces:
            return _RemainingAllowance(field.name, next(iter(names)), field.value, field.type)
    return None


def piece_names(program: Program) -> frozenset[str]:
    """Return the names of pieces of an action: its parameters, and its single choices."""
    parameter_names = (each.name for each in program.procedure.parameters if isinstance(each.type, graph.Piece))
    chosen = (step.name for step, member in program.choices() if not step.how and isinstance(member, graph.Piece))
    return frozenset((*parameter_names, *chosen))
