"""Procedure summaries: writes to slots with a declared range, the conditions of steps, and their access paths.

In: a procedure. Out: a `RangedWrite` for each such write, with the conditions and names on its path: parameters,
choices, dice, members of loops; and a `PathCondition` for each condition. All of it is in terms of the initial state,
in which the procedure starts; a step that reads what earlier steps changed has `of_initial_state` False, for arbitrary
positions.
"""

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import cast

from compiler.analysis.access_paths import GuardedStep, PathCondition, RangedWrite, StepQuestion, SymbolicPath
from compiler.analysis.laws import Laws
from compiler.analysis.nested_conditions import ConditionScope
from compiler.analysis.ranged_arguments import (
    RangedArgument,
    arguments_of_step,
    has_ranged_arguments,
    ranged_arguments,
    single_values,
)
from compiler.analysis.step_reads import expressions_of_account, expressions_read
from compiler.analysis.written_slots import BlocksByStart, WriteSets, bodies_by_start
from runtime.graph import nodes as graph
from runtime.graph.call_graph import ProcedureKey, procedures_started, start_of
from runtime.graph.effects import effects_of
from runtime.graph.effects.primitives import stored_value
from runtime.graph.free_names import variables_in
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.predeclared_types import member_of
from runtime.graph.slots import EVERYTHING
from runtime.graph.steps import names_at_start
from runtime.graph.type_of import bound_types, type_of, types_of_names

Read = Generator[RangedWrite | PathCondition | StepQuestion | GuardedStep, None, "SymbolicPath | None"]


def steps_by_procedure(stack: graph.Graph) -> dict[str, tuple[GuardedStep, ...]]:
    """Return all steps with their access paths, by procedure."""
    writes = WriteSets(stack, bodies_by_start(stack))
    return {key: tuple(_Reader(stack, key, writes).guarded_steps()) for key in stack.procedures}


def steps_by_callee(stack: graph.Graph, steps: Mapping[str, Sequence[GuardedStep]]) -> dict[str, list[GuardedStep]]:
    """Return for each procedure the steps that start it."""
    starting: dict[ProcedureKey, list[GuardedStep]] = {}
    for guarded_steps in steps.values():
        for guarded in guarded_steps:
            for start in procedures_started(guarded.step):
                starting.setdefault(start, []).append(guarded)
    return {key: starting.get(start_of(procedure), []) for key, procedure in stack.procedures.items()}


@frozen_dataclass
class _Reader:
    """A traversal of one procedure along its access paths, from its beginning to its end."""

    stack: graph.Graph
    key: str
    writes: WriteSets

    def read(self) -> Iterator[RangedWrite | PathCondition | StepQuestion]:
        """List the writes and conditions of the procedure, and the expressions of its steps."""
        yield from (each for each in self._read() if not isinstance(each, GuardedStep))

    def guarded_steps(self) -> Iterator[GuardedStep]:
        """List all steps with their access paths."""
        yield from (each for each in self._read() if isinstance(each, GuardedStep))

    def _read(self) -> Iterator[RangedWrite | PathCondition | StepQuestion | GuardedStep]:
        procedure = self.stack.procedures[self.key]
        parameters, lets = names_at_start(procedure)
        path = SymbolicPath(lets, (), parameters, (), frozenset(), frozenset(), lets)
        end = yield from self._body(procedure.body, path)
        if end is not None and procedure.body:
            # The values of an account are computed at the beginning or the end of the procedure.
            account_path = replace(end, changed=frozenset({EVERYTHING}), guards=())
            yield from self._argument_writes(procedure.body[0], expressions_of_account(procedure), (), account_path)

    def _body(self, body: tuple[graph.Step, ...], path: SymbolicPath) -> Read:
        """Traverse steps in order, and return the path behind them; None behind a stop."""
        current_path: SymbolicPath | None = path
        for step in body:
            if current_path is None:
                break
            yield GuardedStep(self.key, step, current_path)
            yield from self._arguments(step, current_path)
            current_path = yield from self._step(step, current_path)
        return current_path

    def _step(self, step: graph.Step, path: SymbolicPath) -> Read:
        yield from self._step_questions(step, path)
        match step:
            case graph.Let(name, value):
                path = replace(path, bindings=(*path.bindings, (name, value)))
                if self._is_initial(value, path) and name not in dict(path.lets):
                    return replace(path, lets=(*path.lets, (name, value)))
                return path.with_unknown(name, path.type_of(value, self.stack))
            case graph.Legal(condition):
                yield self._path_condition(step, condition, path)
                path = path.with_guard(condition)
                return path.with_assumption(condition) if self._is_initial(condition, path) else path
            case graph.Choose(mode, name, source):
                yield from self._nonempty_condition(step, name, source, path)
                return self._chosen(name, source, path, many=mode)
            case graph.Roll():
                return path.with_roll(step, self.stack)
            case graph.Draw(mode, name, source, _, element_type):
                yield from self._nonempty_condition(step, name, source, path)
                path = self._chosen(name, source, path, many=mode)
                return replace(path, rolled=(*path.rolled, name)) if _is_die(mode, element_type) else path
            case graph.Loop(name, source, body):
                yield from self._nonempty_condition(step, name, source, path)
                yield from self._body(body, self._chosen(name, source, path))
                return self._path_after((step,), path)
            case graph.Each(body=body) | graph.Phase(body=body):
                vague = path.unknown_names | {name for name, _ in path.lets} | {p.name for p in path.parameters}
                yield from self._body(body, replace(path, changed=frozenset({EVERYTHING}), unknown_names=vague))
                return self._path_after((step,), path)
            case graph.Branch():
                return (yield from self._branch(step, path))
            case graph.Stop():
                return None
            case graph.Offer(until=until) if until is not None:
                # The condition is evaluated before the first action, and after each.
                after = self._path_after((step,), path)
                yield self._path_condition(step, until, after)
                return after
            case _:
                yield from self._step_writes(step, path)
                return _with_bound_names(step, self._path_after((step,), path))

    def _step_questions(self, step: graph.Step, path: SymbolicPath) -> Iterator[StepQuestion]:
        """List the expressions that a step evaluates."""
        types = types_of_names(path.parameters, path.lets, self.stack)
        for expr in expressions_read(step):
            match step, expr:
                case graph.Choose(source=source) | graph.Draw(source=source) | graph.Loop(source=source), graph.Fold(
                    "gather", var, _, filter_condition, None
                ) if source is expr and filter_condition is not None:
                    element_type = member_of(type_of(expr, types, self.stack))
                    yield StepQuestion(self.key, step, expr.source, types, picking=False)
                    yield StepQuestion(self.key, step, filter_condition, {**types, var: element_type}, picking=True)
                case _:
                    yield StepQuestion(self.key, step, expr, types, picking=False)

    def _branch(self, step: graph.Branch, path: SymbolicPath) -> Read:
        """Traverse both branches; where one of them stops, the steps that follow are on the path of the other."""
        yield self._path_condition(step, step.condition, path)
        clear = self._is_initial(step.condition, path)
        denied = graph.Op("not", (step.condition,))
        yes, no = path.with_guard(step.condition), path.with_guard(denied)
        if clear:
            yes, no = yes.with_assumption(step.condition), no.with_assumption(denied)
        then = yield from self._body(step.then, yes)
        orelse = yield from self._body(step.orelse, no)
        if then is None or orelse is None:
            left, body = (no, step.orelse) if then is None else (yes, step.then)
            return None if then is None and orelse is None else self._path_after(body, left)
        return self._path_after((step,), path)

    def _path_condition(self, step: graph.Step, condition: graph.Expr, path: SymbolicPath) -> PathCondition:
        """Return a condition of a step; one that is not about the initial state has no path, and unknown names."""
        if self._is_initial(condition, path):
            return PathCondition(self.key, step, condition, path, of_initial_state=True)
        types = types_of_names(path.parameters, path.lets, self.stack)
        let_parameters = tuple(graph.Parameter(name, types[name]) for name, _ in path.lets)
        detached_path = replace(path, lets=(), conditions=(), parameters=(*let_parameters, *path.parameters))
        return PathCondition(self.key, step, condition, detached_path, of_initial_state=False)

    def _nonempty_condition(
        self, step: graph.Step, name: str, source: graph.Expr, path: SymbolicPath
    ) -> Iterator[PathCondition]:
        """Yield the condition that a collection has a member."""
        among = path.with_parameter(name, member_of(path.type_of(source, self.stack)))
        yield self._path_condition(step, graph.Op("in", (graph.Var(name), source)), among)

    def _step_writes(self, step: graph.Step, path: SymbolicPath) -> Iterator[RangedWrite]:
        """List the writes of one step."""
        for effect in effects_of(step):
            if (stored := stored_value(effect, self.stack.vocabulary)) is not None:
                yield from self._ranged_write(step, *stored, path)

    def _ranged_write(
        self, step: graph.Step, target: str, declared: graph.Type, value: graph.Expr, path: SymbolicPath
    ) -> Iterator[RangedWrite]:
        match declared, value:
            case graph.Number(None, None), _:
                pass
            case graph.Number(), _:
                of_initial_state = self._is_initial(value, path) and not path.unknown_names & variables_in(
                    (path.conditions, path.lets)
                )
                yield RangedWrite(self.key, step, target, declared, value, path, of_initial_state)
            case _:
                pass

    def _arguments(self, step: graph.Step, path: SymbolicPath) -> Iterator[RangedWrite]:
        """List the numbers that a step passes to questions, new records and procedures where ranges are declared."""
        return self._argument_writes(step, expressions_read(step), tuple(self._call_arguments(step)), path)

    def _argument_writes(
        self,
        step: graph.Step,
        exprs: tuple[graph.Expr, ...],
        call_arguments: tuple[tuple[str, graph.Number, graph.Expr], ...],
        path: SymbolicPath,
    ) -> Iterator[RangedWrite]:
        """List the numbers that expressions and calls pass where ranges are declared."""
        if not call_arguments and not has_ranged_arguments(exprs, self.stack):
            return
        unchanged = [part for part in path.guards if self.writes.is_unchanged(part, path.changed)]
        scope = ConditionScope({}, types_of_names(path.parameters, path.lets, self.stack)).with_facts(*unchanged)
        found = [each for expr in exprs for each in ranged_arguments(expr, scope, self.stack, {})]
        found += [
            each for argument in call_arguments for each in single_values(RangedArgument(*argument, scope), self.stack)
        ]
        for argument in found:
            inner = tuple(
                graph.Parameter(n, value_type) for n, value_type in argument.scope.types.items() if n not in scope.types
            )
            known = tuple(part for part, _ in argument.scope.facts if self.writes.is_unchanged(part, path.changed))
            of_initial_state = self._is_initial(argument.value, path) and not path.unknown_names & variables_in(
                (known, path.lets)
            )
            # A name keeps its value while its definition changes: then the name may have any value.
            open_ = () if of_initial_state else tuple(graph.Parameter(name, scope.types[name]) for name, _ in path.lets)
            write_path = replace(
                path,
                lets=path.lets if of_initial_state else (),
                conditions=known,
                parameters=(*open_, *path.parameters, *inner),
            )
            yield RangedWrite(
                self.key,
                step,
                argument.target,
                argument.declared,
                argument.value,
                write_path,
                of_initial_state,
                is_argument=True,
            )

    def _call_arguments(self, step: graph.Step) -> Iterator[tuple[str, graph.Number, graph.Expr]]:
        """List the numbers that a step passes to the procedures that it calls."""
        procedures = self.stack.procedures
        match step:
            case graph.Do(name, arguments):
                yield from arguments_of_step(name, procedures[f"resolution:{name}"].parameters, arguments)
            case graph.Tell(name, arguments):
                yield from arguments_of_step(name, self.stack.vocabulary.events[name].parameters, arguments)
            case graph.Offer(actions):
                for name, arguments in actions:
                    yield from arguments_of_step(name, procedures[f"action:{name}"].parameters, arguments)
            case _:
                pass

    def _chosen(self, name: str, source: graph.Expr, path: SymbolicPath, many: str = "") -> SymbolicPath:
        """Bind a member of a collection, or a selection of its members."""
        source_type = path.type_of(source, self.stack)
        path = path.with_guard(graph.Op("in", (graph.Var(name), source)))
        if many:
            shape: graph.ManyShape = "list" if many == "order" else "set"
            return path.with_unknown(name, graph.Many(shape, member_of(source_type)))
        if not self._is_initial(source, path):
            return path.with_unknown(name, member_of(source_type))
        return path.with_parameter(name, member_of(source_type)).with_assumption(
            graph.Op("in", (graph.Var(name), source))
        )

    def _path_after(self, body: tuple[graph.Step, ...], path: SymbolicPath) -> SymbolicPath:
        return replace(path, changed=path.changed | self.writes.changed_slots(body))

    def _is_initial(self, expr: graph.Expr, path: SymbolicPath) -> bool:
        """Return whether an expression can be evaluated in the initial state."""
        return self.writes.is_unchanged(expr, path.changed) and not path.unknown_names & variables_in(expr)


def _with_bound_names(step: graph.Step, path: SymbolicPath) -> SymbolicPath:
    for name, type_ in bound_types(step).items():
        path = path.with_unknown(name, type_)
    return path


@frozen_dataclass
class ProcedureSummaries:
    """The summaries of the procedures of a stack, memoized."""

    laws: Laws
    started: BlocksByStart

    def summary_of(self, key: str) -> tuple[RangedWrite | PathCondition | StepQuestion, ...]:
        """List the writes and conditions of a procedure, and the other expressions of its steps."""
        procedure = self.laws.stack.procedures[key]
        return self.laws.recording.query("read", procedure, partial(self._read, key), key)

    def _read(self, key: str) -> tuple[RangedWrite | PathCondition | StepQuestion, ...]:
        # The analysis is made here, so that this query records the names that it looks up.
        return tuple(_Reader(self.laws.stack, key, WriteSets(self.laws.stack, self.started)).read())


def procedure_summaries(laws: Laws) -> ProcedureSummaries:
    """Return the summaries of the procedures of a stack, to be computed on demand."""
    recording = laws.recording
    bodies = {start: recording.database.tuple_of(found) for start, found in bodies_by_start(laws.stack).items()}
    return ProcedureSummaries(laws, cast("BlocksByStart", recording.table("bodies", bodies)))


def _is_die(mode: str, element_type: graph.Type) -> bool:
    """Return whether the draw is of a single number."""
    return not mode and isinstance(element_type, graph.Number)
