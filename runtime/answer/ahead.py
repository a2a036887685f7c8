"""What can be asked before a pass begins, or of a member before the question proper: what that needs at least.

In: the conditions of a pass. Out: those that hold for all members or for none, and those on members that are quicker
than the questions which need them; all may be asked whatever the position. A question that is denied unless the one
rule that grants it speaks needs what that rule needs.
"""

from collections.abc import Iterator

from runtime.answer.conditions import conjuncts
from runtime.answer.emit_names import Scope
from runtime.answer.quick_first import is_quick
from runtime.graph import nodes as graph
from runtime.graph.free import binds, filled, free
from runtime.graph.type_of import member_of, type_of

GRANTS = ("allows", "holds")


def ahead(made: graph.Fold, rules: graph.Graph, scope: Scope) -> list[graph.Expr]:
    """List the conditions to ask before a pass, each once."""
    found = (part for condition in conjuncts(made.where) for part in needed(condition, rules))
    safe = (part for part in found if made.var not in free(part) and is_quick(part, rules.terms, scope.in_play))
    return list(dict.fromkeys(safe))


def begun_if(made: graph.Fold, rules: graph.Graph, scope: Scope) -> list[graph.Expr]:
    """List the conditions of a pass that are not about its members: where one fails, it need not begin."""
    parts = (part for part in conjuncts(made.where) if made.var not in free(part))
    return [part for part in parts if is_quick(part, rules.terms, scope.in_play)]


def sooner(made: graph.Fold, rules: graph.Graph, scope: Scope) -> list[graph.Expr]:
    """List the quick conditions on a member of a pass that the questions about it come to anyway."""
    found = (part for condition in conjuncts(made.where) for part in needed(condition, rules) if part is not condition)
    return list(dict.fromkeys(part for part in found if made.var in free(part) and is_safe(part, made, rules, scope)))


def is_safe(part: graph.Expr, made: graph.Fold, rules: graph.Graph, scope: Scope) -> bool:
    """Say whether a condition is quick, and safe whatever the position; what is printed in a hex of a pass is there."""
    match part:
        case graph.Is(graph.Var(name), tests, _) if name == made.var:
            member = member_of(type_of(made.source, scope.types, rules))
            printed = isinstance(member, graph.Hex) and all(test.what == "feature" for test in tests)
            ruled = any(f"{test.owner}.{test.name}" in rules.terms for test in tests)
            return (printed and not ruled) or is_quick(part, rules.terms, scope.in_play)
        case _:
            return is_quick(part, rules.terms, scope.in_play)


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
