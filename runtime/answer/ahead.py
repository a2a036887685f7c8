"""What can be asked before a pass begins: conditions on its members that do not speak of them.

In: the conditions of a pass. Out: those that hold for all members or for none, and may be asked whatever the position.
A question that is denied unless the one rule that grants it speaks needs what that rule needs.
"""

from collections.abc import Iterator

from runtime.answer.conditions import conjuncts
from runtime.answer.emit_names import Scope
from runtime.answer.quick_first import is_quick
from runtime.graph import nodes as graph
from runtime.graph.free import binds, filled, free

GRANTS = ("allows", "holds")


def ahead(made: graph.Fold, rules: graph.Graph, scope: Scope) -> list[graph.Expr]:
    """List the conditions to ask before a pass, each once."""
    found = (part for condition in conjuncts(made.where) for part in needed(condition, rules))
    safe = (part for part in found if made.var not in free(part) and is_quick(part, rules.terms, scope.in_play))
    return list(dict.fromkeys(safe))


def needed(condition: graph.Expr, rules: graph.Graph) -> Iterator[graph.Expr]:
    """List what must hold for a condition to hold, itself included."""
    yield condition
    match condition:
        case graph.Ask(name, arguments):
            term = rules.terms[name]
            grants = [rule for label in term.rules if (rule := rules.rules[label]).verb in GRANTS]
            given = dict(zip((parameter.name for parameter in term.parameters), arguments, strict=True))
            if term.default is False and len(grants) == 1 and not grants[0].names:
                guard = grants[0].guard
                if not binds(guard) & (free(arguments) | given.keys()):
                    for part in conjuncts(filled(guard, given)):
                        yield from needed(part, rules)
        case _:
            return
