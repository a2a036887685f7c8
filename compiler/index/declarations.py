"""The names that a declaration declares and uses, by its record."""

from collections.abc import Iterable
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from compiler.source import nodes as source
from compiler.source.span import Node
from compiler.typed.declarations.record import DeclarationRecord, NamePart

if TYPE_CHECKING:
    from compiler.index.occurrences import NameWalk


def visit_declaration(walk: "NameWalk", node: Any, record: DeclarationRecord[Any]) -> None:
    """Record the names in the parts that a record lists, then those in the other parts, where all of them are known."""
    named = tuple(record.names(node))
    for name_part in named:
        _declare_or_use(walk, name_part)
    with walk.new_scope():
        for name_part in named:
            if name_part.role == "binds":
                walk.bind_parameters(_members(name_part), name_part.namespace)
            elif name_part.role == "speaks on":
                (term,) = _members(name_part)
                walk.term = term.text
        listed = [name_part.part for name_part in named]
        # By identity: equal parts are different ones.
        visited = (field.name for field in fields(node) if any(getattr(node, field.name) is part for part in listed))
        walk.visit_parts(node, *visited)


def _declare_or_use(walk: "NameWalk", name_part: NamePart) -> None:
    """Record names that are declared, with the names in the items that declare them, or names that are used."""
    for item in _members(name_part):
        word = item if isinstance(item, source.Word) else item.name
        match name_part.role:
            case "declares":
                walk.declare(word, qualified_name(name_part.namespace, word))
                if item is not word:
                    walk.visit_parts(item, "name")
            case "uses" | "speaks on":
                walk.use_name(word, name_part.namespace)
            case "binds":
                pass


def qualified_name(namespace: str, word: source.Word) -> str:
    """Return the symbol of a name: `term spent`, or, in a namespace that is qualified itself, `member side.elves`."""
    return f"{namespace}{'.' if ' ' in namespace else ' '}{word.text}"


def _members(name_part: NamePart) -> Iterable[Any]:
    """Return the names, items or parameters of a part; none if it is absent."""
    match name_part.part:
        case None:
            return ()
        case Node():
            return (name_part.part,)
        case members:
            return members
