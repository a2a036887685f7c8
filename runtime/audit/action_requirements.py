"""The conditions under which an action is open, sorted into questions of the rules and conditions of play alone.

In: a graph and the program of an action. Out: its single choices with what their values are chosen from, and each
conjunct of its head in terms of these choices, in order: `let` names, filters of sets and terms that abbreviate an
expression are expanded. The head is followed up to the first choice of several members.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from runtime.answer.reads import ReadSetAnalysis, reads_of
from runtime.answer.single_expressions import sole_expression
from runtime.graph import nodes as graph
from runtime.graph.free_names import bound_names, free_names, substitute
from runtime.graph.walk import walk
from runtime.play.instructions import Program

# A condition that depends on these is about whose turn it is, and not about what the question asks.
TURN = frozenset({"game.player", "game.phase"})
# A condition with these compares places on the map, which everybody sees.
GEOMETRY = frozenset({"neighbors", "adjacent", "within", "distance"})


class ActionRequirement(NamedTuple):
    """A condition that has to hold, and the choices that it depends on.

    `kind` is "question" for a verdict; "play" for a condition that no verdict decides, and that depends neither on
    whose turn it is nor on distances, nor lists values of a choice; "other" for the rest.
    """

    kind: Literal["question", "play", "other"]
    condition: graph.Expr
    names: frozenset[str]


@dataclass(slots=True)
class ActionRequirements:
    """What an action needs.

    `choices` are its parameters and single choices with their types, `sources` the unfiltered sets that values are
    chosen from.
    """

    action: str
    choices: dict[str, graph.Type] = field(default_factory=dict)
    sources: dict[str, graph.Expr] = field(default_factory=dict)
    requirements: list[ActionRequirement] = field(default_factory=list)

    @property
    def verdict_questions(self) -> Iterator[tuple[graph.Ask, frozenset[str]]]:
        """Yield the verdicts that have to be allowed, with the choices that they are about."""
        for each in self.requirements:
            if each.kind == "question" and isinstance(each.condition, graph.Ask):
                yield each.condition, each.names

    @property
    def choices_in_questions(self) -> frozenset[str]:
        """Return the choices that questions are about."""
        return frozenset[str]().union(*(names for _, names in self.verdict_questions))


class RequirementAnalysis:
    """The analysis of the actions of a graph."""

    def __init__(self, rules: graph.Graph) -> None:
        """Prepare the read sets of terms."""
        self.rules = rules
        self.reads: ReadSetAnalysis = reads_of(rules)

    def requirements_of(self, program: Program) -> ActionRequirements:
        """Return the requirements of an action."""
        procedure = program.procedure
        found = ActionRequirements(procedure.name, {each.name: each.type for each in procedure.parameters})
        lets: dict[str, graph.Expr] = {}
        for step, member in zip(program.code[: program.head_length], program.members, strict=False):
            match step:
                case graph.Let(name, value):
                    bound = with_bindings(value, lets)
                    if bound is None:
                        break
                    lets[name] = bound
                case graph.Legal(condition):
                    if (bound := with_bindings(condition, lets)) is None:
                        break
                    self.add(found, self.parts_of(bound))
                case graph.Choose(how, name, source):
                    if how or member is None or (bound := with_bindings(source, lets)) is None:
                        break
                    found.choices[name], found.sources[name] = member, self.unfiltered(bound)
                    self.add(found, self.membership_conditions(graph.Var(name), bound))
                case _:
                    pass
        return found

    def add(self, found: ActionRequirements, parts: Iterator[graph.Expr]) -> None:
        """Add the parts of a condition."""
        for part in parts:
            names = frozenset(free_names(part))
            kind: Literal["play", "other"] = "play" if self.is_of_play_alone(part, names) else "other"
            found.requirements.append(ActionRequirement("question" if self.is_verdict(part) else kind, part, names))

    def is_verdict(self, expr: graph.Expr) -> bool:
        """Return whether an expression asks a verdict."""
        return isinstance(expr, graph.Ask) and self.rules.terms[expr.term].form == "verdict"

    def is_of_play_alone(self, condition: graph.Expr, names: frozenset[str]) -> bool:
        """Return whether a condition asks no verdict, and is neither about the turn, distances nor listed values."""
        nodes = tuple(walk(condition))
        if "player" in names or any(isinstance(each, graph.Op) and each.op in GEOMETRY for each in nodes):
            return False
        match condition:
            case graph.Op("in", (graph.Var(), graph.SetOf())):
                return False
            case _:
                pass
        terms = self.reads.terms_reached(self.reads.called_terms(nodes))
        if any(self.rules.terms[each].form == "verdict" for each in terms):
            return False
        return TURN.isdisjoint(self.reads.reads_of_nodes(nodes))

    def expansion(self, expr: graph.Expr) -> graph.Expr | None:
        """Return the expression that a question abbreviates, with its arguments; None if it does not abbreviate one."""
        if not isinstance(expr, graph.Ask):
            return None
        term = self.rules.terms[expr.term]
        body = sole_expression(term, self.rules)
        names = (each.name for each in term.parameters)
        return None if body is None else with_bindings(body, dict(zip(names, expr.arguments, strict=True)))

    def parts_of(self, condition: graph.Expr) -> Iterator[graph.Expr]:
        """Yield the conjuncts of a condition."""
        match condition:
            case graph.Op("and", parts):
                for part in parts:
                    yield from self.parts_of(part)
            case graph.Op("in", (element, source)):
                yield from self.membership_conditions(element, source)
            case _:
                expanded = self.expansion(condition)
                yield from (condition,) if expanded is None else self.parts_of(expanded)

    def membership_conditions(self, element: graph.Expr, source: graph.Expr) -> Iterator[graph.Expr]:
        """Yield the conditions that together state that an element is in a set."""
        expanded = self.expansion(source)
        if expanded is not None:
            yield from self.membership_conditions(element, expanded)
            return
        match source:
            case graph.Fold("gather", var, among, condition, None) if condition is not None:
                if (filtered := with_bindings(condition, {var: element})) is not None:
                    yield from self.membership_conditions(element, among)
                    yield from self.parts_of(filtered)
                    return
        yield graph.Op("in", (element, source))

    def unfiltered(self, source: graph.Expr) -> graph.Expr:
        """Return the set of which a source is a part by its filters."""
        expanded = self.expansion(source)
        if expanded is not None:
            return self.unfiltered(expanded)
        match source:
            case graph.Fold("gather", _, among, _, None):
                return self.unfiltered(among)
            case _:
                return source


def with_bindings(expr: graph.Expr, bindings: Mapping[str, graph.Expr]) -> graph.Expr | None:
    """Substitute expressions for names; None if an aggregate inside binds a name that one of them reads."""
    used = {name: value for name, value in bindings.items() if name in free_names(expr)}
    captured = set(used).union(*(free_names(value) for value in used.values()))
    if bound_names(expr) & captured:
        return None
    replaced: graph.Expr = substitute(expr, used)
    return replaced
