"""The rules of a term, in its own parameters: its own rules, and those of the questions beside which it stands.

In: a graph and one of its terms. Out: rules. A graph has each rule once, with the parameters of the terms that it was
written for (`Rule.terms`). A term that stands beside another adopts the other's prohibitions, and all rules that defeat
those. An adopted rule has the same label, but the arguments in place of the other's parameters; a permission among them
grants nothing here and only defeats.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from graphlib import CycleError
from typing import Any, Protocol

from runtime.graph import nodes as graph
from runtime.graph.closure import topological_order, transitive_closure
from runtime.graph.free_names import bound_names, free_names, substitute
from runtime.graph.identity_memo import memoized_by_identity
from runtime.graph.verbs import rule_answer, verbs_on
from runtime.graph.walk import map_children


class RulesAndTerms(Protocol):
    """What a graph has of rules and terms."""

    @property
    def rules(self) -> Mapping[str, graph.Rule]:
        """The rules by label."""

    @property
    def terms(self) -> Mapping[str, graph.Term]:
        """The terms by name."""


def rules_of_term(stack: RulesAndTerms, term: graph.Term) -> tuple[graph.Rule, ...]:
    """Return the rules of a term in the order of the term, adopted ones with its parameters."""
    if not term.beside:
        return tuple([stack.rules[label] for label in term.rules])
    return tuple([rule_of_term(stack, term, label) for label in term.rules])


def rule_of_term(stack: RulesAndTerms, term: graph.Term, label: str) -> graph.Rule:
    """Return one rule of a term; if it is adopted, with the parameters of the term."""
    rule = stack.rules[label]
    if term.name in rule.terms or not term.beside:
        return rule
    beside, other = next(_sources(stack, term, label))
    source = rule_of_term(stack, other, label)
    memo = _memo_of_term(term)
    if label not in memo or memo[label][0] is not source or memo[label][1] is not other.parameters:
        memo[label] = (source, other.parameters, _adopt(source, term, other, beside))
    return memo[label][2]


@memoized_by_identity(64)
def _memo_of_term(term: graph.Term) -> dict[str, tuple[graph.Rule, tuple[graph.Parameter, ...], graph.Rule]]:  # noqa: ARG001 -- the term is the key
    """Return the memo of a term, by label: the rule of the other term, that term's parameters, the adopted rule."""
    return {}


def is_adopted(rule: graph.Rule, term: graph.Term) -> bool:
    """Return whether a rule, as the graph has it, holds in a term only because the term stands beside another."""
    return bool(term.beside) and term.name not in rule.terms


def adopted_from(stack: RulesAndTerms, term: graph.Term, label: str) -> graph.Beside:
    """Return the declaration through which a term adopts a rule."""
    return next(_sources(stack, term, label))[0]


def declarations_at_odds(stack: RulesAndTerms, term: graph.Term, label: str) -> tuple[graph.Beside, ...]:
    """Return the first declaration through which a term adopts a rule, and those that would make another rule of it."""
    first, *others = _sources(stack, term, label)
    adopted = rule_of_term(stack, term, label)
    at_odds = [first[0]]
    for beside, other in others:
        rule = _adopt(rule_of_term(stack, other, label), term, other, beside)
        if (rule.names, rule.guard) != (adopted.names, adopted.guard):
            at_odds.append(beside)
    return tuple(at_odds)


def terms_of_rule(stack: RulesAndTerms, rule: graph.Rule) -> tuple[str, ...]:
    """Return all terms in which a rule holds: those it was written for, then those that adopt it."""
    adopting = (name for name, term in stack.terms.items() if term.beside and rule.label in term.rules)
    return tuple(dict.fromkeys((*rule.terms, *adopting)))


def applicable_rules(stack: RulesAndTerms, rule: graph.Rule, others: Iterable[graph.Rule]) -> Iterator[graph.Rule]:
    """Yield those of other rules that hold in the term of a rule, in its parameters."""
    for other in others:
        if not set(other.terms).isdisjoint(rule.terms):
            yield other
        elif adopting := [name for name in rule.terms if other.label in stack.terms[name].rules]:
            yield rule_of_term(stack, stack.terms[adopting[0]], other.label)


def with_adopted_labels(
    own_labels: Mapping[str, Sequence[str]],
    beside: Mapping[str, Sequence[graph.Beside]],
    rules: Mapping[str, graph.Rule],
) -> dict[str, list[str]]:
    """Return the labels of the rules of each term, with those that it adopts; `beside` has no cycle."""
    found = {name: [*labels] for name, labels in own_labels.items()}
    # What a term adopts may be adopted from it in turn.
    for name in topological_order({each: [part.term for part in parts] for each, parts in beside.items()}):
        for part in beside.get(name, ()):
            adopted = _adopted_labels(found.get(part.term, []), part.excepted, rules)
            found[name] += [label for label in adopted if label not in found[name]]
    return found


def _adopted_labels(labels: Sequence[str], excepted: Sequence[str], rules: Mapping[str, graph.Rule]) -> list[str]:
    """Return the prohibitions among the rules of a term but for those `excepted`, and all that defeats them."""
    prohibitions = [label for label in labels if denies(rules[label]) and label not in excepted]
    needed = transitive_closure(prohibitions, lambda target: [each for each in labels if target in rules[each].defeats])
    return [label for label in labels if label in needed]


def defeaters_first(labels: Iterable[str], rules: Mapping[str, graph.Rule]) -> tuple[str, ...]:
    """Sort rules topologically, defeaters before what they defeat, else by label; in a cycle by label alone."""
    defeaters: dict[str, list[str]] = {label: [] for label in labels}
    for label in defeaters:
        for target in rules[label].defeats:
            if target in defeaters:
                defeaters[target].append(label)
    try:
        return tuple(topological_order(defeaters))
    except CycleError:  # It was reported where relations were resolved.
        return tuple(sorted(defeaters))


def with_beside(stack: graph.Graph, name: str, beside: tuple[graph.Beside, ...]) -> graph.Graph:
    """Return a graph in which a term stands beside these others instead, and adopts their rules."""
    terms = {**stack.terms, name: replace(stack.terms[name], beside=beside)}
    own_labels = {
        each: [label for label in term.rules if each in stack.rules[label].terms] for each, term in terms.items()
    }
    labels = with_adopted_labels(own_labels, {each: term.beside for each, term in terms.items()}, stack.rules)
    for each, term in terms.items():
        if {*labels[each]} != {*term.rules}:
            terms[each] = replace(term, rules=defeaters_first(labels[each], stack.rules))
    return replace(stack, terms=terms)


def denies(rule: graph.Rule) -> bool:
    """Return whether a rule is a prohibition: what a term that stands beside another adopts."""
    return rule_answer(rule) is False


def _sources(stack: RulesAndTerms, term: graph.Term, label: str) -> Iterator[tuple[graph.Beside, graph.Term]]:
    """Yield the terms beside which a term stands that have a rule, each with the declaration."""
    for beside in term.beside:
        other = stack.terms[beside.term]
        if label in other.rules and label not in beside.excepted:
            yield beside, other


def _adopt(rule: graph.Rule, term: graph.Term, other: graph.Term, beside: graph.Beside) -> graph.Rule:
    """Return a rule of another term in the parameters of this one."""
    arguments = {part.name: argument for part, argument in zip(other.parameters, beside.arguments, strict=True)}
    names_in_scope = {part.name for part in term.parameters}.union(*map(free_names, beside.arguments))
    clauses = (rule.names, rule.guard)
    # A name that the rule binds itself must not hide one of this term.
    hiding = sorted((bound_names(clauses) | dict(rule.names).keys()) & names_in_scope)
    renamed = {name: _unused_name(name, names_in_scope) for name in hiding}
    arguments |= {name: graph.Var(new) for name, new in renamed.items()}
    names, guard = substitute(_with_binders(clauses, renamed), arguments)
    denying_verb = next(each.name for each in verbs_on(term.form) if each.answer is False)
    return replace(
        rule,
        terms=(term.name,),
        verb=denying_verb if denies(rule) else "",
        names=tuple((renamed.get(name, name), value) for name, value in names),
        guard=guard,
        value=None,
    )


def _unused_name(name: str, names_in_scope: set[str]) -> str:
    """Return a similar name that is not in scope."""
    number = 2
    while f"{name}{number}" in names_in_scope:
        number += 1
    return f"{name}{number}"


def _with_binders(node: Any, renamed: dict[str, str]) -> Any:
    """Rename the variables that aggregates bind, not their uses."""
    node = map_children(node, lambda part: _with_binders(part, renamed)) if renamed else node
    return replace(node, var=renamed[node.var]) if isinstance(node, graph.Fold) and node.var in renamed else node
