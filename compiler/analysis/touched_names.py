"""The names that laws use, directly, through the terms that they query, and in the rules that they defeat.

In: the rules of a stack. Out: the names of each rule; those of a term are memoized.
"""

from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rules_of_term
from runtime.graph.walk import walk


class TouchedNames:
    """The names that laws use: themselves, through the terms that they query, and in the rules that they defeat."""

    def __init__(self, stack: graph.Graph) -> None:
        self.stack = stack
        self.terms: dict[str, frozenset[str]] = {}

    def names_used_by(self, rule: graph.Rule) -> frozenset[str]:
        """Return the names that a rule or one that it defeats refers to, directly or through terms."""
        laws = [rule, *(self.stack.rules[label] for label in rule.defeats if label in self.stack.rules)]
        parts = (self._names_in((law.guard, law.value, law.names), frozenset()) for law in laws)
        return frozenset(rule.terms).union(*parts)

    def _names_in(self, law: object, below: frozenset[str]) -> frozenset[str]:
        names = {name for node in walk(law) if (name := node_name(node))}
        terms = [node.term for node in walk(law) if isinstance(node, graph.Ask) and node.term not in below]
        return frozenset(names).union(*(self._names_of_term(term, below) for term in terms))

    def _names_of_term(self, name: str, below: frozenset[str]) -> frozenset[str]:
        if name not in self.terms:
            term = self.stack.terms.get(name)
            rules = rules_of_term(self.stack, term) if term is not None else []
            visited_terms = below | {name}
            self.terms[name] = frozenset({name}).union(
                *(self._names_in((rule.guard, rule.value, rule.names), visited_terms) for rule in rules)
            )
        return self.terms[name]


def node_name(node: object) -> str:
    """Return the name of a node of a law; "" if it has none."""
    match node:
        case graph.Ask(term=name) | graph.Cell(table=name):
            return name
        case graph.Var():
            return ""
        case _:
            name = getattr(node, "name", "")
            return name if isinstance(name, str) else ""
