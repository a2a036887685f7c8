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

from compiler.analysis.facts import facts_of
from compiler.analysis.formula import Formula
from compiler.analysis.intervals import Intervals
from compiler.analysis.laws import Laws, arguments_of, laws_of
from compiler.analysis.normal import conjuncts, is_empty, normal
from compiler.analysis.sinks import Governed, Path, Reader
from compiler.analysis.solve import solve
from compiler.analysis.steps import asked_by_rule, steps
from compiler.analysis.touches import started_by
from compiler.analysis.translate import Translator, no
from compiler.analysis.usage import start_of, starts
from runtime.graph import nodes as graph
from runtime.graph.free import filled
from runtime.graph.governed import beginning, preconditions_on
from runtime.graph.type_of import member_of, type_of
from runtime.graph.walk import walk

# Definitions inside definitions are written out so deep.
DEEPEST = 4
# What stands before the first effect of an action.
HEAD = (graph.Let, graph.Legal, graph.Choose)
YES_NO = frozenset({"verdict", "condition"})


class NotAsked(NamedTuple):
    """The procedure `key` carries out what the precondition `label` governs, and nobody asks `term` on the way."""

    key: str
    label: str
    term: str


@dataclass(frozen=True, slots=True)
class Need:
    """One question that a governed step needs answered yes, and the names in it that stand for members."""

    ask: graph.Ask
    members: tuple[tuple[str, graph.Type], ...]


def unasked(stack: graph.Graph) -> Iterator[NotAsked]:
    """List the questions that governed steps need and nobody asks."""
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

    def of(self, key: str) -> Iterator[NotAsked]:
        """Look at the governed steps of a procedure."""
        procedure = self.laws.stack.procedures[key]
        before = self.before(key, frozenset())
        begin = beginning(procedure)
        for each in self.readers[key]:
            done: list[graph.Step | graph.Begin] = [each.step]
            if begin is not None and not isinstance(each.step, HEAD):
                done, begin = [each.step, begin], None
            for precondition, given in self.governing(procedure, done):
                names = self.written_out(each.path)
                bound = {name: normal(value, names) for name, value in given.items()}
                if precondition.condition is not None or not self.is_meant(precondition, given, each.path):
                    continue
                asked = tuple(self.asked(each.path, names))
                for need in needs_of(precondition, bound, self.laws.stack):
                    yield from self.held(each, precondition, need, asked, before)

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
            found = type_of(given[parameter.name], types, self.laws.stack)
            match parameter.type, found:
                case graph.Piece(wanted), graph.Piece(kinds) if wanted and kinds and not set(wanted) & set(kinds):
                    return False
                case graph.RecordOf(wanted_), graph.RecordOf(name) if wanted_ != name:
                    return False
                case _:
                    pass
        return True

    def written_out(self, path: Path) -> dict[str, graph.Expr]:
        """Write out what names stand for."""
        names: dict[str, graph.Expr] = {}
        for name, value in path.meant:
            names[name] = normal(value, names)
        return names

    def asked(self, path: Path, names: Mapping[str, graph.Expr]) -> Iterator[graph.Ask]:
        """List the questions that guards on the way ask."""
        for guard in path.guards:
            yield from self.questions(normal(guard, dict(names)), DEEPEST)

    def questions(self, expr: graph.Expr, depth: int) -> Iterator[graph.Ask]:
        """List the questions in an expression; what is defined by one rule is written out."""
        for part in walk(chosen_from(expr)):
            if isinstance(part, graph.Ask):
                yield part
                term = self.laws.stack.terms.get(part.term)
                if term is not None and depth:
                    names = arguments_of(term, part.arguments)
                    for inner in self.parts(term) if is_definition(term) or term.form in YES_NO else ():
                        yield from self.questions(filled(inner, names), depth - 1)

    def before(self, key: str, seen: frozenset[str]) -> frozenset[str]:
        """Name the questions that everybody asks who starts a procedure; a game begins with none."""
        procedure = self.laws.stack.procedures[key]
        if procedure.what == "sequence" or key in seen:
            return frozenset()
        start = start_of(procedure)
        found: list[frozenset[str]] = []
        for other, steps_ in self.readers.items():
            for each in steps_:
                if start in starts(each.step):
                    names = self.written_out(each.path)
                    own = {term for ask in self.asked(each.path, names) for term in self.reached.get(ask.term, ())}
                    found.append(frozenset(own) | self.before(other, seen | {key}))
        return frozenset.intersection(*found) if found else frozenset()

    def held(
        self,
        each: Governed,
        precondition: graph.Precondition,
        need: Need,
        asked: tuple[graph.Ask, ...],
        before: frozenset[str],
    ) -> Iterator[NotAsked]:
        """Hold one question against those that were asked."""
        by_way = {term for ask in asked for term in self.reached.get(ask.term, ())} | before
        if need.ask.term not in by_way and self.may_be_forbidden(each, need):
            yield NotAsked(each.key, precondition.label, need.ask.term)

    def may_be_forbidden(self, each: Governed, need: Need) -> bool:
        """Tell whether cases leave it open that the rules forbid the step where it stands."""
        types = {**types_of(each.path, self.laws.stack), **dict(need.members)}
        translator = Translator(self.laws, types, self.intervals)
        names = self.written_out(each.path)
        way = [normal(part, names) for condition in each.path.conditions for part in conjuncts(condition)]
        formulas: list[Formula] = [translator.formula(part) for part in way]
        wanted = no(translator.formula(need.ask))
        return solve(translator.space, *formulas, wanted, *facts_of(translator)) is not None


def chosen_from(expr: graph.Expr) -> graph.Expr:
    """Write of what a member is chosen from what is asked of that member."""
    match expr:
        case graph.Op("in", (member, graph.Fold("gather", var, source, where, None))):
            inside = graph.Op("in", (member, source))
            return inside if where is None else graph.Op("and", (inside, filled(where, {var: member})))
        case _:
            return expr


def is_definition(term: graph.Term) -> bool:
    """Tell whether a term is said by definitions: of what is one, or in a set, the rules are gone through."""
    return term.form in {"value", "set"}


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
            if is_empty(normal(source, dict(bound))):
                return
            of = member_of(type_of(source, dict(types), stack))
            within = {**types, var: of}
            for part in conjuncts(body):
                yield from _needed(part, bound, within, stack, (*members, (var, of)))
        case _:
            pass  # What is no question is left to whoever plays.


def types_of(path: Path, stack: graph.Graph) -> dict[str, graph.Type]:
    """Say of which types the names on the way are."""
    names: dict[str, graph.Type] = {part.name: part.type for part in path.parameters}
    for name, value in path.meant:
        names[name] = type_of(value, names, stack)
    return names
