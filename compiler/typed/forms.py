"""Clauses in the declaration of a term that have no effect on a term of its form: `otherwise` of a sum, and the like.

In: a declared term. Out: problems. Such a clause would seem to have an effect.
"""

from collections.abc import Iterator

from compiler.source import nodes as source
from compiler.source.span import Span
from compiler.typed.findings.invalid_constructs import InvalidConstruct

# The default by form, which is fixed for these.
SILENT = {"sum": "without rules a sum is 0", "set": "without rules a set is empty"}
JUDGED = {"verdict": ("allowed", "forbidden"), "condition": ("yes", "no")}


def misplaced_clauses(node: source.Term) -> Iterator[InvalidConstruct]:
    """Yield a problem for each clause without effect on a term of this form, and for a missing type."""
    form = node.form
    if form in JUDGED:
        yield from _judged(node)
        return
    name = node.name.text
    if node.type is None:
        yield InvalidConstruct(
            node.name.span, f"the {form} `{name}` lacks a type", f"write the type of its answer, `{name}(..): TYPE`"
        )
    if node.default is not None:
        instead = "leave it out" if form in SILENT else "write `otherwise ..`"
        yield _idle(node.name.span, f"default {node.default}", form, instead)
    if node.otherwise is not None and form in SILENT:
        yield _idle(node.otherwise.span, "otherwise", form, f"delete it: {SILENT[form]}")
    if node.capped is not None and form != "sum":
        yield _idle(node.capped.span, "capped", form, "write `clamp(.., low, high)` in its rules")
    if node.stages and form != "value":
        yield _idle(node.stages[0].span, "in stages", form, "delete the stages")


def _judged(node: source.Term) -> Iterator[InvalidConstruct]:
    """Find the misplaced clauses of a term with a truth value."""
    form = node.form
    words = JUDGED[form]
    if node.type is not None:
        message = f"a {form} has no type, as it is answered `{words[0]}` or `{words[1]}`"
        yield InvalidConstruct(node.type.span, message, "delete the type")
    if node.default is None:
        message = f"the {form} `{node.name.text}` lacks a default"
        yield InvalidConstruct(node.name.span, message, f"write `default {words[0]}` or `default {words[1]}`")
    elif node.default not in words:
        right = words[0] if node.default in {"allowed", "yes"} else words[1]
        message = f"a {form} cannot be `{node.default}`"
        yield InvalidConstruct(node.name.span, message, f"write `default {right}`")
    if node.otherwise is not None:
        yield _idle(node.otherwise.span, "otherwise", form, f"write `default {words[0]}` or `default {words[1]}`")
    for clause, part in (("capped", node.capped), ("in stages", node.stages[0] if node.stages else None)):
        if part is not None:
            yield _idle(part.span, clause, form, "delete it")


def _idle(span: Span, clause: str, form: str, advice: str) -> InvalidConstruct:
    return InvalidConstruct(span, f"`{clause}` is not possible for a {form}", advice)
