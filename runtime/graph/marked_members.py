"""The candidates of a filtered choice that marks of the members leave over.

In: the source of a choice. Out: the members that satisfy what the filter says of kinds, traits, features and statuses
of a member alone, and the conditions that remain to be tested. Marks cost next to nothing, and are operations on bit
sets in modules, so that both engines draw from these candidates and test only those that they try.
"""

from collections.abc import Iterator

from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rules_of_term
from runtime.graph.conjuncts import conjunction, conjuncts
from runtime.graph.free_names import substitute
from runtime.graph.verbs import rule_answer

MARKS = ("kind", "gone", "off", "trait", "feature", "status")
CONNECTIVES = ("and", "or", "not")


def marked_candidates(source: graph.Fold, rules: graph.Graph) -> tuple[graph.Expr, graph.Expr | None]:
    """Return the candidates among the members of a filtered source, and the condition that remains, if any."""
    marks: list[graph.Expr] = []
    others: list[graph.Expr] = []
    for condition in conjuncts(source.where):
        if _is_about_marks(condition, source.var, rules):
            marks.append(condition)
        else:
            others.append(condition)
            marks += _implied_marks(condition, source.var, rules)
    filter_condition = conjunction(dict.fromkeys(marks))
    if filter_condition is None:
        return source.source, source.where
    return graph.Fold("gather", source.var, source.source, filter_condition, None, None), conjunction(others)


def _is_about_marks(condition: graph.Expr, member: str, rules: graph.Graph) -> bool:
    """Return whether a condition is about marks of a member alone."""
    match condition:
        case graph.Is(graph.Var(name), tests):
            return name == member and all(_is_mark(test, rules) for test in tests)
        case graph.Op(op, parts) if op in CONNECTIVES:
            return all(_is_about_marks(part, member, rules) for part in parts)
        case _:
            return False


def _is_mark(test: graph.Test, rules: graph.Graph) -> bool:
    """Return whether a test reads a mark; one that rules overrule is a question."""
    return test.what in MARKS and f"{test.owner}.{test.name}" not in rules.terms


def _implied_marks(condition: graph.Expr, member: str, rules: graph.Graph) -> Iterator[graph.Expr]:
    """Yield what a question that one rule alone can answer with yes implies about marks of a member."""
    if not isinstance(condition, graph.Ask) or graph.Var(member) not in condition.arguments:
        return
    term = rules.terms[condition.term]
    granting = [rule for rule in rules_of_term(rules, term) if rule_answer(rule) is True]
    if term.form not in ("verdict", "condition") or term.default or len(granting) != 1:
        return
    (rule,) = granting
    parameter = term.parameters[condition.arguments.index(graph.Var(member))].name
    if parameter in dict(rule.names):
        return
    for part in conjuncts(rule.guard):
        if _is_about_marks(part, parameter, rules):
            yield substitute(part, {parameter: graph.Var(member)})
