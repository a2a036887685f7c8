"""The engine in Python: executes procedures step by step, as they are written, up to the next decision.

In: a graph and an evaluator. Out: a `Machine` for all games of that graph; the whole state of a game is in its
playthrough.

Each running procedure has a stack of pending items (programs.py): steps that are next, and steps in progress. The first
item of the latest call is executed, which may put others before those that are left, or call a procedure.

`run` returns at a decision with at least two options. A single option is taken by the machine: an offer without open
actions ends, a last candidate is chosen. `take` applies an option, after which `run` continues.
"""

from collections.abc import Callable, Iterator, Mapping
from copy import copy
from operator import length_hint
from typing import Self

from runtime.answer.evaluator import Evaluator, ValueFunction
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import OutOfRangeError
from runtime.graph.budget import TooMuchWork, check_limit, open_budget, spend, suspended_budget
from runtime.play.accounts import Accounts
from runtime.play.choices import Choices, Site
from runtime.play.closure_table import ClosureTable, player_decides, traced_closure, with_account
from runtime.play.dice import Stream
from runtime.play.existence_checks import checked_evaluation
from runtime.play.obligations import Obligations
from runtime.play.option_evaluator import OptionEvaluator
from runtime.play.options import END, END_OFFER, STOP, TAKE, Decision, Option
from runtime.play.pair_endings import end_pairs, ending_relations
from runtime.play.pending_items import StartedItem
from runtime.play.playthrough import CHOSEN, OFFER_TAKEN, FrameHook, Names, Playthrough, ProcedureFrame
from runtime.play.programs import Program, programs_of
from runtime.play.random_draw import draw_option
from runtime.play.rule_faults import (
    OFFER_CAP,
    BrokenRules,
    NoOpenOption,
    TooMuchToPlay,
    broken_rules,
    budget_message,
    endless_offer_text,
)
from runtime.play.step_closures import CLOSURES, RESUME, Closure
from runtime.play.tracer import Tracer
from runtime.state.ranges import check_ranges
from runtime.state.record import Value

# The limits of steps between two decisions and of the call depth: no printed game needs a hundredth of them.
STEP_CAP = 1_000_000
# The limit of choices of one game, each of which has a checkpoint. Shipped games have 4,700 at most.
CHOICE_CAP = 30_000
CALL_CAP = 200
# The number of steps between two decisions of a trial.
FORCED_STEPS = 100_000

# Sides for which options are drawn at random, each with its stream.
Drawing = Mapping[str, Stream]
NOBODY_DRAWS: Drawing = {}
# The result of a run in which an option of a decision was drawn.
OPTION_DRAWN = Decision("", "", (), None)


class Machine:
    """The engine of one graph."""

    def __init__(self, rules: graph.Graph, evaluator: Evaluator, effect_evaluator: Evaluator | None = None) -> None:
        """Prepare all procedures.

        `effect_evaluator` evaluates executed steps, so that a listener hears these without the search of options;
        without it `evaluator` does both.
        """
        self.graph = rules
        self.evaluator = OptionEvaluator(evaluator, rules)
        self.effect_evaluator = effect_evaluator or evaluator
        self.has_listener = effect_evaluator is not None
        self.tracer: Tracer | None = None
        self.accounts: Accounts | None = None
        self._without_listeners: Self | None = None
        self.programs = programs_of(rules)
        self.closures = ClosureTable(self.programs)
        self.choices = Choices(self.programs.entries, self.evaluator, rules)
        self.obligations = Obligations(self)
        self.has_ending_relations = bool(ending_relations(rules))

    def program_of(self, call: ProcedureFrame) -> Program:
        """Return the program of a running procedure."""
        return self.programs.entries[call.key]

    def step_of(self, call: ProcedureFrame) -> graph.Step:
        """Return the step that is next in a running procedure, at a decision its offer or choice."""
        return self.programs.entries[call.key].steps[call.pending[0]]

    def frame(self, key: str, names: Names, number: int = 0) -> ProcedureFrame:
        """Return a call of a procedure, before a step of it, with these bindings."""
        return ProcedureFrame(key, self.programs.entries[key].pending_at(number), names)

    def without_listeners(self) -> Self:
        """Return the machine without listeners, tracer and accounts, for trial play."""
        if not self.has_listener and self.tracer is None and self.accounts is None:
            return self
        if self._without_listeners is None:
            machine_copy = self._without_listeners = copy(self)
            machine_copy.effect_evaluator, machine_copy.has_listener = self.evaluator.evaluator, False
            machine_copy.closures = ClosureTable(self.programs)
            machine_copy.tracer = machine_copy.accounts = None
        return self._without_listeners

    def tell_accounts(self) -> None:
        """Enable accounts in the journal."""
        self.accounts = Accounts(self)
        self.closures = ClosureTable(self.programs)

    def value(self, playthrough: Playthrough, call: ProcedureFrame, expr: graph.Expr) -> Value:
        """Evaluate an expression in the frame of a call."""
        return self.effect_evaluator.evaluate(playthrough.state, expr, call.names)

    def value_function(self, expr: graph.Expr) -> ValueFunction:
        """Return the function that evaluates an expression of an executed step; its value must exist."""
        return checked_evaluation(self.effect_evaluator, self.graph, expr)

    def run(
        self, playthrough: Playthrough, floor: int = 0, drawing: Drawing = NOBODY_DRAWS,
        watch: FrameHook | None = None,
    ) -> Decision | None:  # fmt: skip
        """Run to the next decision; None once only `floor` calls are left.

        For sides in `drawing` a random option is taken, and `OPTION_DRAWN` returned, so that each decision has its own
        budget. `watch` is called for every offer and choice, including those with a single option.
        """
        try:
            with open_budget():
                return self._run(playthrough, floor, drawing, watch)
        except TooMuchWork:
            raise self.broken_rules(playthrough, budget_message(), TooMuchToPlay) from None

    def _run(self, playthrough: Playthrough, floor: int, drawing: Drawing, watch: FrameHook | None) -> Decision | None:
        """Run to the next decision, as `run` does, within the current budget."""
        steps = iter(range(STEP_CAP))
        while (call := self.run_to_decision(playthrough, floor, steps)) is not None:
            check_limit()
            if playthrough.choice_count > CHOICE_CAP:
                raise self.broken_rules(
                    playthrough, f"more than {CHOICE_CAP:,} choices were made in one game", TooMuchToPlay
                )
            self.end_pairs(playthrough)
            if self.accounts is not None:
                self.accounts.begin(playthrough, call, call.offset)
            if watch is not None:
                watch(call)
            site, choice_count = self.choices.site(call), playthrough.choice_count
            if self.tracer is not None:
                with suspended_budget():
                    self.tracer.decision_reached(playthrough, call, site)
            if (
                drawing
                and not self.obligations.are_running(playthrough)
                and self.draw_for_side(playthrough, call, site, drawing)
            ):
                if playthrough.choice_count > choice_count:
                    return OPTION_DRAWN
                continue
            decision = self.decide(playthrough, call)
            if len(decision.options) > 1:
                return decision
            self.apply_option(playthrough, call, site, decision.options[0])
        self.end_pairs(playthrough)
        return None

    def run_forced(
        self,
        playthrough: Playthrough,
        floor: int,
        stops: Callable[[ProcedureFrame], bool],
        only: "Callable[[Playthrough, ProcedureFrame], Option | None]",
    ) -> ProcedureFrame | None:
        """Run through forced decisions, for a limited number of steps; return the call at the next real decision.

        `stops` returns whether to stop at a call in any case; `only` returns the single option at a call, None where
        there are more. None once only `floor` calls are left.
        """
        steps = iter(range(FORCED_STEPS))
        while (call := self.run_to_decision(playthrough, floor, steps)) is not None:
            self.end_pairs(playthrough)
            if stops(call) or (option := only(playthrough, call)) is None:
                return call
            self.apply_option(playthrough, call, self.choices.site(call), option)
        return None

    def run_to_decision(self, playthrough: Playthrough, floor: int, steps: Iterator[int]) -> ProcedureFrame | None:
        """Execute steps up to the next offer or choice, and return its call; None once only `floor` calls are left."""
        calls, execute = playthrough.calls, self.execute
        before = length_hint(steps)
        try:
            for _ in steps:
                if len(calls) <= floor:
                    return None
                if execute(playthrough) is player_decides:
                    return calls[-1]
        except OutOfRangeError as left:
            raise self.broken_rules(playthrough, str(left), out_of_range=left.callee) from None
        finally:
            spend(before - length_hint(steps))
        raise self.broken_rules(playthrough, f"more than {STEP_CAP:,} steps were taken without anything to decide")

    def execute(self, playthrough: Playthrough) -> Closure | None:
        """Execute the next item of the latest call; return the closure of a step.

        An item that raises an exception stays: a search continues there with the die that was missing.
        """
        call = playthrough.calls[-1]
        pending = call.pending
        item, call.pending = pending
        try:
            if item.__class__ is not int:
                self.resume(playthrough, call, item)
                return None
            closure = self.closures[call.key][item] or self.prepare(call.key, item)
            if closure is player_decides:
                call.pending = pending
            else:
                closure(playthrough, call)
        except Exception:
            call.pending = pending
            raise
        return closure

    def prepare(self, key: str, number: int) -> Closure:
        """Create the closure of a step of a procedure, at its first execution."""
        program = self.programs.entries[key]
        step = program.steps[number]
        closure: Closure = player_decides
        if not isinstance(step, graph.Offer | graph.Choose):
            closure = CLOSURES[type(step)](self, step, program, number)
        if (
            self.tracer is not None
            and program.procedure.what == "sequence"
            and isinstance(step, graph.Phase | graph.Do)
        ):
            closure = traced_closure(self.tracer, closure, number)
        is_told = program.procedure.account is not None and program.begins_account(number)
        if self.accounts is not None and is_told and closure is not player_decides:
            closure = with_account(self.accounts, closure, number)
        self.closures[key][number] = closure
        return closure

    def resume(self, playthrough: Playthrough, call: ProcedureFrame, item: StartedItem) -> None:
        """Continue with a step in progress."""
        RESUME[item.__class__](self, playthrough, call, item)

    def draw_for_side(self, playthrough: Playthrough, call: ProcedureFrame, site: Site, drawing: Drawing) -> bool:
        """Select a random option if the deciding side is in `drawing`; return whether it is."""
        state, names = playthrough.state, call.names
        side = site.side(state, names)
        chance = drawing.get(side)
        if chance is None:
            return False
        chance.restart_at(playthrough.moment())
        option, others = draw_option(site, state, names, side, chance)
        if option is None:
            return False
        if others:
            playthrough.mark()
        self.apply_option(playthrough, call, site, option)
        return True

    def end_pairs(self, playthrough: Playthrough) -> None:
        """Remove the pairs whose relation has ended."""
        if self.has_ending_relations and playthrough.endings_checked_to != len(playthrough.journal):
            for event in end_pairs(self.graph, playthrough.state, self.effect_evaluator):
                playthrough.record_event(event)
            playthrough.endings_checked_to = len(playthrough.journal)

    def decide(self, playthrough: Playthrough, call: ProcedureFrame) -> Decision:
        """Return the decision at a call, without options that miss an obligation; there is at least one option."""
        decision = self.listed_decision(playthrough, call)
        if (
            self.obligations.offers
            and (left := self.obligations.open_options(playthrough, decision)) != decision.options
        ):
            return decision._replace(options=left)
        return decision

    def forced_option(self, playthrough: Playthrough, call: ProcedureFrame) -> Option | None:
        """Return the option at a call that has no alternative, or None; at most two are searched for."""
        if self.obligations.offers:
            options = self.decide(playthrough, call).options
            return options[0] if len(options) == 1 else None
        return self.forced_listed_option(playthrough, call)

    def forced_listed_option(self, playthrough: Playthrough, call: ProcedureFrame) -> Option | None:
        """Return the only option, as `forced_option` does, ignoring obligations."""
        site = self.choices.site(call)
        found = site.candidates(playthrough.state, call.names, site.side(playthrough.state, call.names)).first_options(
            2
        )
        return None if len(found) > 1 else found[0] if found else self.listed_decision(playthrough, call).options[0]

    def listed_decision(self, playthrough: Playthrough, call: ProcedureFrame) -> Decision:
        """Return the decision at a call, ignoring obligations; there is at least one option."""
        decision = self.choices.decision(playthrough, call)
        if decision.options:
            return decision
        step = self.choices.site(call).step
        if isinstance(step, graph.Offer):
            if step.escapes:
                return decision._replace(options=(END_OFFER,))
            raise self.broken_rules(playthrough, "no action is open and the offer may not end", NoOpenOption)
        if step.how == "order" and step.most is None:
            return decision._replace(options=(Option(STOP, "", None),))
        raise self.broken_rules(playthrough, f"there is nothing to choose `{step.name}` from", NoOpenOption)

    def take(self, playthrough: Playthrough, option: Option) -> None:
        """Apply an option of the current decision."""
        call = playthrough.calls[-1]
        self.apply_option(playthrough, call, self.choices.site(call), option)

    def apply_option(self, playthrough: Playthrough, call: ProcedureFrame, site: Site, option: Option) -> None:
        """Apply an option of the offer or choice at a call."""
        step, names = site.step, call.names
        if option.kind == TAKE:
            count = names[OFFER_TAKEN] = names.get(OFFER_TAKEN, 0) + 1
            if count > OFFER_CAP:
                raise self.broken_rules(playthrough, endless_offer_text(option.name))
            side = site.side(playthrough.state, names)
            key = f"action:{option.name}"
            playthrough.calls.append(self.frame(key, self.programs.entries[key].bind_parameters(option.value, side)))
            if self.tracer is not None:
                self.tracer.action_taken(playthrough, option.name)
        elif option.kind == END:
            names.pop(OFFER_TAKEN, None)
            call.advance()
        elif isinstance(step, graph.Choose) and step.how:
            self._collected(playthrough, call, step, option)
        elif isinstance(step, graph.Choose):
            names[step.name] = option.value
            call.advance()

    def _collected(self, playthrough: Playthrough, call: ProcedureFrame, step: graph.Choose, option: Option) -> None:
        chosen: tuple[Value, ...] = call.names.get(CHOSEN, ())
        if option.kind != STOP:
            chosen = call.names[CHOSEN] = (*chosen, option.value)
            if step.how == "any" or len(chosen) < self._length(playthrough, call, step):
                return
        call.names.pop(CHOSEN, None)
        call.names[step.name] = chosen
        call.advance()

    def _length(self, playthrough: Playthrough, call: ProcedureFrame, step: graph.Choose) -> int:
        """Return the length of an order."""
        members = len(tuple(self.value(playthrough, call, step.source)))
        return members if step.most is None else min(members, self.value(playthrough, call, step.most))

    def call(self, playthrough: Playthrough, key: str, values: tuple[Value, ...], player: Value) -> None:
        """Push a call of a procedure."""
        if len(playthrough.calls) >= CALL_CAP:
            raise self.broken_rules(playthrough, f"procedures call each other more than {CALL_CAP} deep")
        program = self.programs.entries[key]
        if values:
            check_ranges(program.procedure.parameters, program.procedure.name, values)
        call = ProcedureFrame(key, program.body, program.bind_parameters(values, player))
        playthrough.calls.append(call)
        if self.accounts is not None:
            self.accounts.begin(playthrough, call, 0)
        if self.tracer is not None:
            self.tracer.procedure_called(key)

    def end_procedure(self, playthrough: Playthrough) -> None:
        """Return from the latest call."""
        call = playthrough.calls.pop()
        if self.accounts is not None:
            self.accounts.end(playthrough, call)

    def announce(self, playthrough: Playthrough, call: ProcedureFrame, event: str, values: tuple[Value, ...]) -> None:
        """Call the hooks on an event; an event inside a reaction offers no reactions."""
        self.end_pairs(playthrough)
        hooks = self.programs.hooks.get(event, ())
        is_reacting = bool(hooks) and self.is_in_reaction(playthrough)
        player = call.names.get("player", playthrough.state.player)
        for key in reversed(hooks):  # The first one is pushed last, so that it runs first.
            if not (is_reacting and self.programs.entries[key].offers):
                self.call(playthrough, key, values, player)

    def is_in_reaction(self, playthrough: Playthrough) -> bool:
        """Return whether a hook's offer is in progress.

        A hook that waits for another one may be at its offer as well, but no option has been taken there.
        """
        return any(OFFER_TAKEN in call.names and self.program_of(call).offers for call in playthrough.calls)

    def broken_rules(
        self,
        playthrough: Playthrough,
        message: str,
        error_class: type[BrokenRules] = BrokenRules,
        out_of_range: str = "",
    ) -> BrokenRules:
        """Return the error of the latest call."""
        program = self.programs.entries[playthrough.calls[-1].key] if playthrough.calls else None
        return broken_rules(playthrough.state, program, message, error_class, out_of_range)
