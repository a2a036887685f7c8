"""Governed steps that a procedure comes to without having asked what their precondition needs.

In: a stack. Out: such steps. Asked is what a guard on the way asks: a `legal` line, the condition of an `if`, what is
chosen or gone through; of a resolution, a hook or an inner action also what everybody asks who starts it. Left out are
preconditions with a `when`, steps where cases prove that the rules never forbid them, and what changes between a guard
and its step: whoever plays finds that (runtime/audit).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from compiler.analysis.effort import OutOfSteps, budget
from compiler.analysis.facts import facts_of
from compiler.analysis.formula import Formula
from compiler.analysis.intervals import Intervals
from compiler.analysis.laws import Laws, laws_of
from compiler.analysis.normal import conjuncts, is_empty, normal
from compiler.analysis.sinks import Governed, Path, Reader
from compiler.analysis.solve import solve
from compiler.analysis.steps import asked_by_rule, steps
from compiler.analysis.touches import started_by
from compiler.analysis.translate import Translator, no
from compiler.analysis.usage import start_of, starts
from runtime.graph import nodes as graph
from runtime.graph.governed import beginning, preconditions_on
from runtime.graph.type_of import member_of, type_of
from runtime.graph.walk import walk

# What stands before the first effect of an action.
HEAD = (graph.Let, graph.Legal, graph.Choose)
YES_NO = frozenset({"verdict", "condition"})


class Question(NamedTuple):
    """The `step` of the procedure `key` is governed by the precondition `label`, which needs `term` answered yes."""

    key: str
    label: str
    term: str
    step: graph.Step
    asked: bool  # Somebody asks it on the way, or the rules never forbid the step.


@dataclass(frozen=True, slots=True)
class Need:
    """One question that a governed step needs answered yes, and the names in it that stand for members."""

    ask: graph.Ask
    members: tuple[tuple[str, graph.Type], ...]


def unasked(stack: graph.Graph) -> Iterator[Question]:
    """List the questions that governed steps need and nobody asks."""
    yield from (each for each in questions(stack) if not each.asked)


def questions(stack: graph.Graph) -> Iterator[Question]:
    """List the questions that governed steps need answered yes."""
    laws = laws_of(stack)
    search = _Search(laws, Intervals(laws.stack, watch=laws.watch))
    for key, procedure in laws.stack.procedures.items():
        begin = beginning(procedure)
        done = (*steps(procedure.body), *((begin,) if begin else ()))
        if any(True for each in done for _ in preconditions_on(laws.stack, procedure, each)):
            yield from search.of(key)


@dataclass
class _Search:
    """Looks through the procedures of one stack."""

    laws: Laws
    intervals: Intervals

    @cached_property
    def reached(self) -> Mapping[str, frozenset[str]]:
        """List under each term the terms that it asks, directly or by way of others."""
        stack = self.laws.stack
        direct = {
            name: {node.term for part in self.parts(term) for node in walk(part) if isinstance(node, graph.Ask)}
            for name, term in stack.terms.items()
        }
        found: dict[str, frozenset[str]] = {}
        for name in direct:
            seen, todo = {name}, [name]
            while todo:
                new = direct.get(todo.pop(), set()) - seen
                seen |= new
                todo += new
            found[name] = frozenset(seen)
        return found

    @cached_property
    def readers(self) -> Mapping[str, tuple[Governed, ...]]:
        """List the governed steps and the steps that start something, by procedure."""
        stack = self.laws.stack
        started = started_by(stack)
        return {key: tuple(Reader(stack, key, started).governed()) for key in stack.procedures}

    def parts(self, term: graph.Term) -> Iterator[graph.Expr]:
        """List what the rules of a term ask."""
        for label in term.rules:
            yield from asked_by_rule(self.laws.stack.rules[label])
        if term.otherwise is not None:
            yield term.otherwise

    def of(self, key: str) -> Iterator[Question]:
        """Look at the governed steps of a procedure."""
        procedure = self.laws.stack.procedures[key]
        begin = beginning(procedure)
        for each in self.readers[key]:
            done: list[graph.Step | graph.Begin] = [each.step]
            if begin is not None and not isinstance(each.step, HEAD):
                done, begin = [each.step, begin], None
            for precondition, given in self.governing(procedure, done):
                if precondition.condition is not None or not self.is_meant(precondition, given, each.path):
                    continue
                asked = self.asked(each.path) | self.before[key]
                names = written_out(each.path)
                bound = {name: normal(value, names) for name, value in given.items()}
                for need in needs_of(precondition, bound, self.laws.stack):
                    term = need.ask.term
                    settled = term in asked or not self.may_be_forbidden(each, need)
                    yield Question(key, precondition.label, term, each.step, settled)

    def governing(
        self, procedure: graph.Procedure, done: list[graph.Step | graph.Begin]
    ) -> Iterator[tuple[graph.Precondition, Mapping[str, graph.Expr]]]:
        """List what governs a step, and how the action begins."""
        for each in done:
            yield from preconditions_on(self.laws.stack, procedure, each)

    def is_meant(self, precondition: graph.Precondition, given: Mapping[str, graph.Expr], path: Path) -> bool:
        """Tell whether the step can be one with pieces or records of the types that are spoken of."""
        types = types_of(path, self.laws.stack)
        for parameter in precondition.parameters:
            found = self.type_in(given[parameter.name], types, path)
            match parameter.type, found:
                case graph.Piece(wanted), graph.Piece(kinds) if wanted and kinds and not set(wanted) & set(kinds):
                    return False
                case graph.RecordOf(wanted_), graph.RecordOf(name) if wanted_ != name:
                    return False
                case _:
                    pass
        return True

    def type_in(self, expr: graph.Expr, types: Mapping[str, graph.Type], path: Path) -> graph.Type:
        """Say of which type an expression is; of what is chosen from a set, the kinds that its rules include."""
        stack = self.laws.stack
        for guard in path.guards:
            match guard:
                case graph.Op("in", (member, graph.Ask(name))) if member == expr and stack.terms[name].form == "set":
                    if kinds := self.kinds_included(stack.terms[name]):
                        return graph.Piece(kinds)
                case _:
                    pass
        return type_of(expr, dict(types), stack)

    def kinds_included(self, term: graph.Term) -> tuple[str, ...]:
        """List the kinds of pieces that the rules of a set include; none if some rule leaves them open."""
        kinds: list[str] = []
        for rule in (self.laws.stack.rules[label] for label in term.rules):
            if rule.verb == "includes" and rule.value is not None:
                names: dict[str, graph.Type] = {part.name: part.type for part in term.parameters}
                for name, value in rule.names:
                    names[name] = type_of(value, names, self.laws.stack)
                match member_of(type_of(rule.value, names, self.laws.stack)):
                    case graph.Piece(found) if found:
                        kinds += found
                    case _:
                        return ()
        return tuple(dict.fromkeys(kinds))

    def asked(self, path: Path) -> frozenset[str]:
        """Name the terms that guards on the way ask, directly or by way of others; names stand for their values."""
        names = dict(path.meant)
        seen: set[str] = set()
        found: set[str] = set()
        todo: list[graph.Expr] = list(path.guards)
        while todo:
            for node in walk(todo.pop()):
                if isinstance(node, graph.Ask):
                    found.add(node.term)
                elif isinstance(node, graph.Var) and node.name in names and node.name not in seen:
                    seen.add(node.name)
                    todo.append(names[node.name])
        return frozenset(term for each in found for term in self.reached.get(each, {each}))

    @cached_property
    def before(self) -> Mapping[str, frozenset[str]]:
        """Name under each procedure the terms that everybody asks who starts it; a game begins with none.

        All terms are taken for asked until a caller is found that does not ask them.
        """
        stack = self.laws.stack
        callers: dict[tuple[str, str], list[tuple[str, frozenset[str]]]] = {}
        for key, found in self.readers.items():
            for each in found:
                if started := starts(each.step):
                    own = self.asked(each.path)
                    for start in started:
                        callers.setdefault(start, []).append((key, own))
        named = {key: callers.get(start_of(procedure), []) for key, procedure in stack.procedures.items()}
        before = {key: frozenset(self.reached) if by else frozenset() for key, by in named.items()}
        changed = True
        while changed:
            after = {
                key: frozenset.intersection(*(own | before[other] for other, own in by)) if by else frozenset()
                for key, by in named.items()
            }
            changed, before = after != before, after
        return before

    def may_be_forbidden(self, each: Governed, need: Need) -> bool:
        """Tell whether cases leave it open that the rules forbid the step where it stands."""
        types = {**types_of(each.path, self.laws.stack), **dict(need.members)}
        translator = Translator(self.laws, types, self.intervals)
        names = written_out(each.path)
        try:
            with budget():
                way = [normal(part, names) for condition in each.path.conditions for part in conjuncts(condition)]
                formulas: list[Formula] = [translator.formula(part) for part in way]
                wanted = no(translator.formula(need.ask))
                return solve(translator.space, *formulas, wanted, *facts_of(translator)) is not None
        except OutOfSteps:
            return True


def written_out(path: Path) -> dict[str, graph.Expr]:
    """Write out what names stand for."""
    names: dict[str, graph.Expr] = {}
    for name, value in path.meant:
        names[name] = normal(value, names)
    return names


def needs_of(precondition: graph.Precondition, bound: Mapping[str, graph.Expr], stack: graph.Graph) -> Iterator[Need]:
    """List the questions that a precondition needs answered yes, of what is carried out."""
    types = {part.name: part.type for part in precondition.parameters}
    for part in conjuncts(precondition.needs):
        yield from _needed(part, bound, types, stack, ())


def _needed(
    expr: graph.Expr,
    bound: Mapping[str, graph.Expr],
    types: Mapping[str, graph.Type],
    stack: graph.Graph,
    members: tuple[tuple[str, graph.Type], ...],
) -> Iterator[Need]:
    match expr:
        case graph.Ask(term) if term in stack.terms and stack.terms[term].form in YES_NO:
            asked = normal(expr, dict(bound))
            if isinstance(asked, graph.Ask):
                yield Need(asked, members)
        case graph.Fold("every", var, source, None, body) if body is not None:
            if is_empty(_field(normal(source, dict(bound)))):
                return
            of = member_of(type_of(source, dict(types), stack))
            within = {**types, var: of}
            for part in conjuncts(body):
                yield from _needed(part, bound, within, stack, (*members, (var, of)))
        case _:
            pass  # What is no question is left to whoever plays.


def _field(expr: graph.Expr) -> graph.Expr:
    """Give what stands in the field of a record that is written out."""
    match expr:
        case graph.Get(graph.New(_, fields), "record", _, name):
            return dict(fields).get(name, expr)
        case _:
            return expr


def types_of(path: Path, stack: graph.Graph) -> dict[str, graph.Type]:
    """Say of which types the names on the way are."""
    names: dict[str, graph.Type] = {part.name: part.type for part in path.parameters}
    for name, value in path.meant:
        names[name] = type_of(value, names, stack)
    return names
