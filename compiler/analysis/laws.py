"""Who speaks on a term and who defeats whom, looked up instead of searched for."""

from collections.abc import Mapping
from dataclasses import dataclass

from runtime.graph import nodes as graph


@dataclass(frozen=True, slots=True)
class Laws:
    """A stack and, for each label, the rules that defeat it."""

    stack: graph.Graph
    defeaters: Mapping[str, tuple[graph.Rule, ...]]

    def rules(self, term: graph.Term) -> tuple[graph.Rule, ...]:
        """List the rules of a term that conclude something."""
        return tuple(rule for label in term.rules if (rule := self.stack.rules[label]).verb)

    def definition(self, name: str) -> graph.Rule | None:
        """Find the one rule that always answers a term, if there is such a rule."""
        term = self.stack.terms.get(name)
        if term is None or term.form != "value" or len(term.rules) != 1:
            return None
        rule = self.stack.rules[term.rules[0]]
        return rule if rule.guard is None and rule.verb == "is" else None


def laws_of(stack: graph.Graph) -> Laws:
    """Index a stack."""
    found: dict[str, list[graph.Rule]] = {}
    for rule in stack.rules.values():
        for label in rule.defeats:
            found.setdefault(label, []).append(rule)
    return Laws(stack, {label: tuple(rules) for label, rules in found.items()})


def arguments_of(term: graph.Term, arguments: tuple[graph.Expr, ...]) -> dict[str, graph.Expr]:
    """Bind the parameters of a term."""
    return {parameter.name: argument for parameter, argument in zip(term.parameters, arguments, strict=True)}
