"""Governed steps that a procedure reaches without a test of what their precondition requires.

In: a stack. Out: such steps. The tests are the guards on the access path: a `legal` line, the condition of an `if`, the
domain of a choice or a loop; of a resolution, a hook or an inner action also the guards of all procedures that start
it. Excluded are steps that the `when` of a precondition does not certainly select, steps that the rules never forbid,
as a proof by cases shows, and what changes between a guard and its step: play detects that (runtime/audit).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from compiler.analysis.access_paths import GuardedStep, SymbolicPath
from compiler.analysis.budgets import OutOfSteps, budget
from compiler.analysis.facts import facts_of
from compiler.analysis.formula import Formula
from compiler.analysis.governed_steps import certainly_holds
from compiler.analysis.intervals import Intervals
from compiler.analysis.laws import Laws, laws_of
from compiler.analysis.normal_form import is_empty, normalize
from compiler.analysis.ranged_writes import steps_by_callee, steps_by_procedure
from compiler.analysis.solve import solve
from compiler.analysis.term_queries import (
    ANY_VALUE,
    GuardReader,
    PathFacts,
    TermQuery,
    certainly_differ,
    substitution_of,
    types_of,
)
from compiler.analysis.translate import Translator, negation_of
from runtime.graph import nodes as graph
from runtime.graph.conjuncts import conjuncts
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.governed_steps import action_beginning, preconditions_on
from runtime.graph.predeclared_types import member_of
from runtime.graph.steps import HEAD_STEPS, nested_steps
from runtime.graph.type_of import type_of
from runtime.graph.walk import map_children, nodes_of

# The steps before the first effect of an action.
YES_NO_SORTS = frozenset({"verdict", "condition"})


class RequiredQuestion(NamedTuple):
    """A question that a `step` of the procedure `key` requires answered yes, by the precondition `label` about `term`.

    `needed` is the question, in the names of the procedure. `others` are the guards about the same term on the access
    path, all of them with other arguments; empty if there are none.
    """

    key: str
    label: str
    term: str
    step: graph.Step
    is_established: bool  # A guard tests it, or the rules never forbid the step.
    needed: graph.Ask
    others: tuple[TermQuery, ...]


@frozen_dataclass
class _RequiredAnswer:
    """A question that a governed step requires answered yes.

    `ask` is the question with names substituted, `members` the names in it that stand for members of sets; `compared`
    its arguments with any value for such members; `written` the question in the precondition.
    """

    ask: graph.Ask
    members: Mapping[str, graph.Type]
    compared: tuple[graph.Expr, ...]
    written: graph.Ask


def missing_questions(stack: graph.Graph) -> Iterator[RequiredQuestion]:
    """Yield the questions that governed steps require and that no guard tests."""
    yield from (each for each in questions_of_stack(laws_of(stack)) if not each.is_established)


def questions_of_stack(laws: Laws) -> Iterator[RequiredQuestion]:
    """List the questions that governed steps require answered yes."""
    search = _RequirementSearch(laws, Intervals(laws.stack, recording=laws.recording))
    for key, procedure in laws.stack.procedures.items():
        begin = action_beginning(procedure)
        steps = (*nested_steps(procedure.body), *((begin,) if begin else ()))
        if any(True for each in steps for _ in preconditions_on(laws.stack, procedure, each)):
            yield from search.required_questions(key)


@dataclass
class _RequirementSearch:
    """A search through the procedures of one stack."""

    laws: Laws
    intervals: Intervals
    facts_of_path: dict[int, PathFacts] = field(default_factory=dict)

    @cached_property
    def questions(self) -> GuardReader:
        """Return the reader of guards for the terms that preconditions require."""
        needed = (node.term for each in self.laws.stack.preconditions for node in nodes_of(graph.Ask, each.needs))
        return GuardReader(self.laws.stack, frozenset(needed))

    @cached_property
    def steps(self) -> Mapping[str, tuple[GuardedStep, ...]]:
        """Return the steps of each procedure with their access paths."""
        return steps_by_procedure(self.laws.stack)

    def required_questions(self, key: str) -> Iterator[RequiredQuestion]:
        """List the questions that the governed steps of a procedure require."""
        procedure = self.laws.stack.procedures[key]
        begin = action_beginning(procedure)
        for each in self.steps[key]:
            steps: list[graph.Step | graph.Begin] = [each.step]
            if begin is not None and not isinstance(each.step, HEAD_STEPS):
                steps, begin = [each.step, begin], None
            for precondition, arguments in self.preconditions_of(procedure, steps):
                if not self.fits_types(precondition, arguments, each.path):
                    continue
                names = substitution_of(each.path)
                bound = {name: normalize(value, names) for name, value in arguments.items()}
                bound["player"] = names.get("player", graph.Var("player"))
                if not self.is_governed(each, precondition, bound):
                    continue
                for need in _required_answers(precondition, bound, self.laws.stack):
                    others = self.other_queries(each, need.ask.term, need.compared)
                    settled = others is None or not self.may_be_forbidden(each, need)
                    needed = normalize(need.written, dict(arguments))
                    assert isinstance(needed, graph.Ask)
                    yield RequiredQuestion(
                        key, precondition.label, need.ask.term, each.step, settled, needed, others or ()
                    )

    def is_governed(self, each: GuardedStep, precondition: graph.Precondition, bound: Mapping[str, graph.Expr]) -> bool:
        """Return whether a precondition certainly governs a step, by its `when`."""
        if precondition.condition is None:
            return True
        condition = _with_fields(normalize(precondition.condition, dict(bound)))
        return certainly_holds(condition, each.path, types_of(each.path, self.laws.stack), self.laws.stack)

    def preconditions_of(
        self, procedure: graph.Procedure, steps: list[graph.Step | graph.Begin]
    ) -> Iterator[tuple[graph.Precondition, Mapping[str, graph.Expr]]]:
        """List the preconditions of a step, or of the start of the action, with their arguments."""
        for each in steps:
            yield from preconditions_on(self.laws.stack, procedure, each)

    def fits_types(
        self, precondition: graph.Precondition, arguments: Mapping[str, graph.Expr], path: SymbolicPath
    ) -> bool:
        """Return whether the types of a step's arguments are compatible with the parameters of a precondition."""
        types = types_of(path, self.laws.stack)
        for parameter in precondition.parameters:
            found = type_of(arguments[parameter.name], dict(types), self.laws.stack)
            match parameter.type, found:
                case graph.Piece(required_kinds), graph.Piece(kinds) if (
                    required_kinds and kinds and not set(required_kinds) & set(kinds)
                ):
                    return False
                case graph.RecordOf(required_record), graph.RecordOf(name) if required_record != name:
                    return False
        return True

    def path_facts(self, each: GuardedStep) -> PathFacts:
        """Return the memoized facts that the guards on the path to a step establish."""
        if id(each) not in self.facts_of_path:
            self.facts_of_path[id(each)] = self.questions.facts_on_path(each.path)
        return self.facts_of_path[id(each)]

    @cached_property
    def callers(self) -> Mapping[str, Sequence[GuardedStep]]:
        """Return for each procedure the steps that start it."""
        return steps_by_callee(self.laws.stack, self.steps)

    def other_queries(
        self, each: GuardedStep, term: str, needed: tuple[graph.Expr, ...], seen: frozenset[str] = frozenset()
    ) -> tuple[TermQuery, ...] | None:
        """Return the guards about the same term with other arguments, if none tests what is needed; None if one does.

        It suffices that all callers of the procedure test it. Recursion is cut off: a procedure that starts itself was
        tested where it was started first.
        """
        path_facts = self.path_facts(each)
        queries = [query for query in path_facts.queries if query.term == term]
        if any(_may_concern(needed, query.arguments, path_facts) for query in queries):
            return None
        if each.key in seen:
            return None
        callers = self.callers[each.key]
        left = not callers
        for caller in callers:
            passed = _caller_arguments(each, caller, needed, self.laws.stack)
            above = self.other_queries(caller, term, passed, seen | {each.key})
            if above is not None:
                left = True
                queries += above
        return tuple(queries) if left else None

    def may_be_forbidden(self, each: GuardedStep, need: _RequiredAnswer) -> bool:
        """Return whether a proof by cases leaves it possible that the rules forbid the step at its place."""
        types = {**types_of(each.path, self.laws.stack), **need.members}
        translator = Translator(self.laws, types, self.intervals)
        names = substitution_of(each.path)
        try:
            with budget():
                path_conditions = [
                    normalize(part, names) for condition in each.path.conditions for part in conjuncts(condition)
                ]
                formulas: list[Formula] = [translator.translate_expression(part) for part in path_conditions]
                denial = negation_of(translator.translate_expression(need.ask))
                return solve(translator.space, *formulas, denial, *facts_of(translator)) is not None
        except OutOfSteps:
            return True


def _required_answers(
    precondition: graph.Precondition, bound: Mapping[str, graph.Expr], stack: graph.Graph
) -> Iterator[_RequiredAnswer]:
    """List the questions that a precondition requires answered yes, about the arguments of a step."""
    types = graph.parameter_types(precondition.parameters)
    yield from _needed(precondition.needs, bound, types, stack, {})


def _needed(
    needs: graph.Expr,
    bound: Mapping[str, graph.Expr],
    types: Mapping[str, graph.Type],
    stack: graph.Graph,
    members: Mapping[str, graph.Type],
) -> Iterator[_RequiredAnswer]:
    """List the questions in a condition; a requirement that is no question is checked in play."""
    for part in conjuncts(needs):
        match part:
            case graph.Ask(term) if term in stack.terms and stack.terms[term].form in YES_NO_SORTS:
                free = {name: value for name, value in bound.items() if name not in members}
                ask, compared = normalize(part, free), _with_fields(normalize(part, dict(bound)))
                if isinstance(ask, graph.Ask) and isinstance(compared, graph.Ask):
                    yield _RequiredAnswer(ask, members, compared.arguments, part)
            case graph.Fold("every", var, source, None, body) if body is not None:
                among = _with_fields(normalize(source, dict(bound)))
                if is_empty(among):
                    continue
                member = among.elements[0] if isinstance(among, graph.SetOf) and len(among.elements) == 1 else ANY_VALUE
                element_type = member_of(type_of(source, dict(types), stack))
                yield from _needed(
                    body, {**bound, var: member}, {**types, var: element_type}, stack, {**members, var: element_type}
                )
            case _:
                pass


def _with_fields(expr: Any) -> Any:
    """Replace each read of a field of a record literal by the value of the field."""
    match map_children(expr, _with_fields):
        case graph.Get(graph.New(_, fields), "record", _, name) as read:
            return dict(fields).get(name, read)
        case other:
            return other


def _may_concern(needed: tuple[graph.Expr, ...], arguments: tuple[graph.Expr, ...], path_facts: PathFacts) -> bool:
    """Return whether a guard may be about the arguments that are needed: none of them certainly differs."""
    return not any(certainly_differ(left, right, path_facts) for left, right in zip(needed, arguments, strict=True))


def _caller_arguments(
    each: GuardedStep, caller: GuardedStep, needed: tuple[graph.Expr, ...], stack: graph.Graph
) -> tuple[graph.Expr, ...]:
    """Return what a step of a procedure requires, in the names of a caller: any value for a name of the procedure."""
    procedure = stack.procedures[each.key]
    known = substitution_of(caller.path)
    names: dict[str, graph.Expr] = {part.name: ANY_VALUE for part in each.path.parameters}
    for part, argument in zip(procedure.parameters, _arguments_for(procedure, caller.step), strict=False):
        names[part.name] = normalize(argument, known)
    return tuple(normalize(part, names) for part in needed)


def _arguments_for(procedure: graph.Procedure, step: graph.Step) -> tuple[graph.Expr, ...]:
    """Return the arguments with which a step starts a procedure."""
    match step:
        case graph.Do(_, arguments) | graph.Tell(_, arguments):
            return arguments
        case graph.Offer(actions):
            return next((arguments for name, arguments in actions if name == procedure.name), ())
        case _:
            return ()
