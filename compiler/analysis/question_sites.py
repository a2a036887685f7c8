"""Question sites: the expressions of a stack with their scopes.

In: a stack. Out: guards, names and conclusions of rules, `otherwise`, ends of relations, expressions of steps.
"""

from collections.abc import Iterable, Iterator

from compiler.analysis.access_paths import PathCondition, RangedWrite, StepQuestion
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.nested_conditions import ConditionScope
from compiler.analysis.normal_form import normalized_names, with_names
from compiler.analysis.parties import Party, StepPlace, named_party
from compiler.analysis.readers_and_setters import step_at
from runtime.graph import nodes as graph
from runtime.graph.conjuncts import conjuncts
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class QuestionSite:
    """A site that evaluates an expression: its party and its step; a `condition` decides whether the party applies."""

    party: Party
    step: StepPlace | None
    expr: graph.Expr
    scope: ConditionScope
    condition: bool = False


Source = graph.Rule | graph.Term | graph.Relation | PathCondition | StepQuestion


def sources_of(stack: graph.Graph) -> Iterator[graph.Rule | graph.Term | graph.Relation]:
    """List what evaluates expressions besides procedures: rules, terms, relations."""
    yield from stack.rules.values()
    yield from (term for term in stack.terms.values() if term.otherwise is not None)
    yield from (relation for relation in stack.vocabulary.relations.values() if relation.ends is not None)


def sources_in(read: Iterable[RangedWrite | PathCondition | StepQuestion]) -> Iterator[Source]:
    """List the conditions and expressions of a procedure's summary, each once."""
    for part in read:
        match part:
            case PathCondition(step=graph.Legal() | graph.Branch()):
                yield part
            case StepQuestion(step=step) if not isinstance(step, graph.Legal | graph.Branch):
                yield part


def question_sites_of(source: Source, stack: graph.Graph) -> Iterator[QuestionSite]:
    """Yield the question sites of a source."""
    match source:
        case graph.Rule():
            yield from question_sites_of_rule(source, stack)
        case graph.Term(otherwise=default) if default is not None:
            types = graph.parameter_types(source.parameters)
            yield QuestionSite(named_party(source), None, default, ConditionScope({}, types))
        case graph.Relation(ends=condition) if condition is not None:
            origin = stack.vocabulary.origins.get(f"relation {source.name}")
            ends = {end.name: end.type for end in (source.left, source.right)}
            if origin is not None:
                party = Party(f"relation {source.name}", "", (), origin)
                yield QuestionSite(party, None, condition, ConditionScope({}, ends), condition=True)
        case PathCondition():
            yield _site_of_path_condition(source, stack)
        case StepQuestion():
            yield _site_of_step(source, stack)
        case _:
            pass


def question_sites_of_rule(rule: graph.Rule, stack: graph.Graph) -> Iterator[QuestionSite]:
    """List the question sites of a rule: names, guard, conclusion."""
    party = ExpressionWriter(stack.vocabulary).rule_party(rule)
    types = {part.name: part.type for name in rule.terms[:1] for part in stack.terms[name].parameters}
    scope = ConditionScope(with_names(rule, {}), types)
    for _, value in rule.names:
        yield QuestionSite(party, None, value, scope)
    if rule.guard is not None:
        yield QuestionSite(party, None, rule.guard, scope, condition=True)
    if rule.value is not None:
        yield QuestionSite(party, None, rule.value, scope.with_facts(*conjuncts(rule.guard)))


def _site_of_step(question: StepQuestion, stack: graph.Graph) -> QuestionSite:
    return QuestionSite(
        *step_at(stack.procedures[question.key], question.step),
        question.expr,
        ConditionScope({}, question.types),
        question.picking,
    )


def _site_of_path_condition(tested: PathCondition, stack: graph.Graph) -> QuestionSite:
    """Return the site of a path condition, with the conditions on the path assumed."""
    names = normalized_names(tested.path.lets)
    scope = ConditionScope(names, graph.parameter_types(tested.path.parameters)).with_facts(*tested.path.conditions)
    return QuestionSite(*step_at(stack.procedures[tested.key], tested.step), tested.condition, scope, condition=True)
