"""Compare and print expressions as written, anywhere in a file.

`equal_as_written` compares two source trees except for their spans; `expression_text` returns one line of text, for
messages that quote what was expected and what was found.
"""

from dataclasses import fields, is_dataclass
from typing import Any

from compiler.source import nodes as source
from compiler.source.span import Span


def equal_as_written(a: Any, b: Any) -> bool:
    """Return whether two trees are equal except for their spans."""
    return written_text(a) == written_text(b)


def written_text(tree: Any) -> object:
    """Return a tree without its spans, as a key: two trees have the same key if `equal_as_written` holds for them."""
    if isinstance(tree, tuple):
        return tuple(map(written_text, tree))
    if is_dataclass(tree):
        parts = (getattr(tree, part.name) for part in fields(tree))
        return (type(tree).__name__, *(written_text(part) for part in parts if not isinstance(part, Span)))
    return tree


def expression_text(node: source.Expression | source.Range) -> str:  # noqa: C901 - one arm per node
    """Format an expression on one line, so that parsing it yields an equal tree."""
    match node:
        case source.Amount(value=value, measure=measure):
            return f"{value} {measure.text}" if measure else str(value)
        case source.Quoted(text=text):
            return f"'{text}'"
        case source.Truth(value=value):
            return "yes" if value else "no"
        case source.Name(id=name):
            return name
        case source.Field(base=base, name=name):
            return f"{_operand_text(base, ATOM)}.{name.text}"
        case source.Cell(table=table, keys=keys):
            return f"{table.text}[{', '.join(map(expression_text, keys))}]"
        case source.Call(name=name, arguments=arguments):
            return f"{name.text}({', '.join(map(expression_text, arguments))})"
        case source.Make(type=type_, fields=entries):
            return f"{type_.text}({', '.join(f'{name.text}: {expression_text(value)}' for name, value in entries)})"
        case source.Compare(op=op, left=left, right=right):
            return f"{_operand_text(left, PLUS)} {op} {_operand_text(right, PLUS)}"
        case source.Arithmetic(op=op, left=left, right=right):
            rank = _rank(node)
            return f"{_operand_text(left, rank)} {op} {_operand_text(right, rank + 1)}"
        case source.Minus(operand=operand):
            return f"-{_operand_text(operand, MINUS)}"
        case source.Not(operand=operand):
            return f"not {_operand_text(operand, NOT)}"
        case source.Both(parts=parts):
            return " and ".join(_operand_text(part, NOT) for part in parts)
        case source.Either(parts=parts):
            return " or ".join(_operand_text(part, BOTH) for part in parts)
        case source.Choice(condition=condition, then=then, orelse=orelse):
            return f"if {expression_text(condition)} then {expression_text(then)} else {expression_text(orelse)}"
        case source.InTest(element=element, collection=collection, negated=negated):
            return f"{_operand_text(element, PLUS)} {'not ' if negated else ''}in {_operand_text(collection, PLUS)}"
        case source.IsTest(subject=subject, words=words, negated=negated):
            return (
                f"{_operand_text(subject, PLUS)} is {'not ' if negated else ''}{'|'.join(word.text for word in words)}"
            )
        case source.HasTest(subject=subject, name=name, negated=negated):
            return f"{_operand_text(subject, PLUS)} has {'no ' if negated else ''}{name.text}"
        case source.Range(low=low, high=high):
            return f"{_operand_text(low, PLUS)}..{_operand_text(high, PLUS)}"
        case source.SetLiteral(elements=elements):
            return "{" + ", ".join(map(expression_text, elements)) + "}"
        case source.SetComprehension(binder=binder, body=body):
            return "{" + (f"{_operand_text(body, PLUS)} for " if body else "") + _bound(binder) + "}"
        case source.Aggregate(op=op, binder=binder, body=body, otherwise=default):
            counted = " for ".join(([expression_text(body)] if body else []) + ([_bound(binder)] if binder else []))
            return f"{op}({counted}{f' otherwise {expression_text(default)}' if default else ''})"
        case source.Extreme(op=op, binder=binder, by=key, otherwise=default):
            rest = f" otherwise {expression_text(default)}" if default else ""
            return f"{op}({_bound(binder)} by {expression_text(key)}{rest})"
        case source.Search():
            return _searched(node)
        case source.Pieces(kinds=kinds, at=space):
            kinds_text = "|".join(word.text for word in kinds)
            return f"all {kinds_text}" if space is None else f"{kinds_text} at {_operand_text(space, ATOM)}"


# Binding strength of expressions: an operand that binds less tightly than its position requires is parenthesized.
EITHER, BOTH, NOT, TEST, PLUS, TIMES, MINUS, ATOM = range(1, 9)


def _operand_text(node: source.Expression | source.Range, least: int) -> str:
    return f"({expression_text(node)})" if _rank(node) < least else expression_text(node)


def _rank(node: source.Expression | source.Range) -> int:
    match node:
        case source.Choice():
            return 0
        case source.Either():
            return EITHER
        case source.Both():
            return BOTH
        case source.Not():
            return NOT
        case source.Compare() | source.InTest() | source.IsTest() | source.HasTest():
            return TEST
        case source.Arithmetic(op=op):
            return PLUS if op in ("+", "-") else TIMES
        case source.Range():
            return PLUS
        case source.Minus():
            return MINUS
        case _:
            return ATOM


def _searched(node: source.Search) -> str:
    if node.op == "linked" and node.goal is not None:
        gate_text = f" by {_question_text(node.gate)}" if node.gate else ""
        return f"linked({expression_text(node.start)}, {expression_text(node.goal)}{gate_text})"
    parts = [expression_text(node.start)]
    parts += [f"to {expression_text(node.goal)}"] if node.goal else []
    parts += [f"by {_question_text(node.gate)}"] if node.gate else []
    parts += [f"costing {_question_text(node.price)}"] if node.price else []
    parts += [f"within {expression_text(node.most)}"] if node.most else []
    parts += [f"otherwise {expression_text(node.otherwise)}"] if node.otherwise else []
    return f"{node.op}({' '.join(parts)})"


def _question_text(call: source.Call) -> str:
    return expression_text(call) if call.arguments else call.name.text


def _bound(binder: source.Binder) -> str:
    condition = f" where {expression_text(binder.where)}" if binder.where else ""
    inner = f" for {_bound(binder.inner)}" if binder.inner else ""
    return f"{binder.name.text} in {_operand_text(binder.source, PLUS)}{condition}{inner}"
