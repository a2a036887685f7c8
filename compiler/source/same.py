"""Compare and print expressions as written, wherever they stand.

`same` asks whether two source trees differ only in their spans; `show` gives one line of text, for
messages that quote what was expected and what was found.
"""

from dataclasses import fields, is_dataclass
from typing import Any

from compiler.source import nodes as source
from compiler.source.span import Span


def same(a: Any, b: Any) -> bool:
    """Tell whether two trees say the same, spans aside."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    if is_dataclass(a) and type(a) is type(b):
        return all(
            same(getattr(a, part.name), getattr(b, part.name))
            for part in fields(a)
            if not _is_place(getattr(a, part.name))
        )
    return bool(a == b)


def wording(tree: Any) -> object:
    """Give what a tree says, spans aside, as a key: trees have the same one where `same` holds."""
    if isinstance(tree, tuple):
        return tuple(map(wording, tree))
    if is_dataclass(tree):
        parts = (getattr(tree, part.name) for part in fields(tree))
        return (type(tree).__name__, *(wording(part) for part in parts if not _is_place(part)))
    return tree


def _is_place(value: Any) -> bool:
    return isinstance(value, Span)


def show(node: source.Expression | source.Range) -> str:  # noqa: C901 - one arm per node
    """Write an expression on one line, near enough to how its author would."""
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
            return f"{show(base)}.{name.text}"
        case source.Cell(table=table, keys=keys):
            return f"{table.text}[{', '.join(map(show, keys))}]"
        case source.Call(name=name, arguments=arguments):
            return f"{name.text}({', '.join(map(show, arguments))})"
        case source.Compare(op=op, left=left, right=right) | source.Arithmetic(op=op, left=left, right=right):
            return f"{show(left)} {op} {show(right)}"
        case source.Minus(operand=operand):
            return f"-{show(operand)}"
        case source.Not(operand=operand):
            return f"not {show(operand)}"
        case source.Both(parts=parts):
            return " and ".join(map(show, parts))
        case source.Either(parts=parts):
            return " or ".join(map(show, parts))
        case source.Choice(condition=condition, then=then, orelse=orelse):
            return f"if {show(condition)} then {show(then)} else {show(orelse)}"
        case source.InTest(element=element, collection=collection, negated=negated):
            return f"{show(element)} {'not ' if negated else ''}in {show(collection)}"
        case source.IsTest(subject=subject, words=words, negated=negated):
            return f"{show(subject)} is {'not ' if negated else ''}{'|'.join(word.text for word in words)}"
        case source.HasTest(subject=subject, name=name, negated=negated):
            return f"{show(subject)} has {'no ' if negated else ''}{name.text}"
        case source.Range(low=low, high=high):
            return f"{show(low)}..{show(high)}"
        case source.SetLiteral(elements=elements):
            return "{" + ", ".join(map(show, elements)) + "}"
        case source.Aggregate(op=op, binder=binder, body=body, otherwise=otherwise):
            counted = " for ".join(([show(body)] if body else []) + ([_bound(binder)] if binder else []))
            return f"{op}({counted}{f' otherwise {show(otherwise)}' if otherwise else ''})"
        case source.Pieces(kinds=kinds, at=at):
            what = "|".join(word.text for word in kinds)
            return f"all {what}" if at is None else f"{what} at {show(at)}"
        case _:
            return "…"


def _bound(binder: source.Binder) -> str:
    where = f" where {show(binder.where)}" if binder.where else ""
    inner = f" for {_bound(binder.inner)}" if binder.inner else ""
    return f"{binder.name.text} in {show(binder.source)}{where}{inner}"
