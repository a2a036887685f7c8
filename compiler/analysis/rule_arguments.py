"""Numbers that rules pass to questions and new records, on whose declared ranges other rules rely.

In: a term. Out: a `RangedWrite` for each such number in its rules and in its default, with the conditions that hold
there: those to its left, and in a conclusion the whole guard and that no exception is live.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from compiler.analysis.access_paths import RangedWrite, SymbolicPath
from compiler.analysis.laws import Laws
from compiler.analysis.nested_conditions import ConditionScope
from compiler.analysis.normal_form import normalize
from compiler.analysis.parties import Party, labeled_party, relation_parties
from compiler.analysis.ranged_arguments import RangedArgument, has_ranged_arguments, ranged_arguments
from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rules_of_term
from runtime.graph.steps import PLAYER_PARAMETER
from runtime.graph.type_of import type_of

# For a term with more rules, the default is examined without the assumption that none of them is live.
MOST_SILENT = 8


def arguments_of_term(laws: Laws, term: graph.Term) -> Iterator[RangedWrite]:
    """List the numbers that the rules of a term, and its default, pass where ranges are declared."""
    stack = laws.stack
    scope = ConditionScope({}, graph.parameter_types(term.parameters))
    rules = rules_of_term(stack, term)
    for rule in rules:
        if not has_ranged_arguments((rule.names, rule.guard, rule.value), stack):
            continue
        inner, named = scope, dict(rule.names)
        for name, value in rule.names:
            value_type = type_of(value, inner.types, stack)
            inner = replace(inner, types={**inner.types, name: value_type})
        found = [] if rule.guard is None else [*ranged_arguments(rule.guard, inner, stack, named)]
        if rule.value is not None:
            lifting = laws.defeaters_in_term(rule)
            live = [] if rule.guard is None else [rule.guard]
            live += [
                graph.Op("not", (laws.live_condition(other, {}),)) for other in lifting if other.label in term.rules
            ]
            found += ranged_arguments(rule.value, inner.with_facts(*live), stack, named)
        yield from (_write(each, rule.label, term.name, rule.names) for each in found)
    if term.otherwise is not None and has_ranged_arguments(term.otherwise, stack):
        concluding_rules = [rule for rule in rules if rule.verb]
        inactive_rules = concluding_rules if len(concluding_rules) <= MOST_SILENT else []
        scope = scope.with_facts(*(graph.Op("not", (laws.live_condition(rule, {}),)) for rule in inactive_rules))
        found = [*ranged_arguments(term.otherwise, scope, stack, {})]
        yield from (_write(each, "", term.name, ()) for each in found)


def other_ranged_writes(stack: graph.Graph) -> Iterator[RangedWrite]:
    """List the numbers that ends of relations, preconditions and invariants pass where ranges are declared."""
    for relation, party, ends in relation_parties(stack):
        parts = [part for part in (relation.left, relation.right, relation.payload) if part is not None]
        yield from _arguments_of(party, parts, (ends,), stack)
    for needed in stack.preconditions:
        conditions = (needed.needs,) if needed.condition is None else (needed.condition, needed.needs)
        parts = [*needed.parameters, PLAYER_PARAMETER]
        yield from _arguments_of(labeled_party(needed), parts, conditions, stack)
    for fact in stack.always:
        yield from _arguments_of(labeled_party(fact), (), (fact.condition,), stack)


def _arguments_of(
    party: Party, parameters: Iterable[graph.Parameter], conditions: tuple[graph.Expr, ...], stack: graph.Graph
) -> Iterator[RangedWrite]:
    """List the numbers that conditions pass, each evaluated where the previous ones hold."""
    scope = ConditionScope({}, graph.parameter_types(parameters))
    for expr in conditions if has_ranged_arguments(conditions, stack) else ():
        found = [*ranged_arguments(expr, scope, stack, {})]
        yield from (replace(_write(each, "", "", ()), party=party) for each in found)
        scope = scope.with_facts(expr)


def _write(argument: RangedArgument, key: str, term: str, lets: tuple[tuple[str, graph.Expr], ...]) -> RangedWrite:
    """Convert an argument to a write to a parameter, with the parameters of the term on its path."""
    names = {name for name, _ in lets}
    bound = tuple(
        graph.Parameter(name, value_type) for name, value_type in argument.scope.types.items() if name not in names
    )
    renamed = any(part.name.endswith("'") for part in bound)
    value = normalize(argument.value, argument.scope.names) if renamed else argument.value
    conditions = tuple(part[1] if renamed else part[0] for part in argument.scope.facts)
    path = SymbolicPath(lets, conditions, bound, (), frozenset(), frozenset(), lets)
    return RangedWrite(
        key, None, argument.target, argument.declared, value, path, of_initial_state=True, term=term, is_argument=True
    )
