"""The names that a declaration declares and uses, by its record."""

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from compiler.source import nodes as source

if TYPE_CHECKING:
    from compiler.index.occurrences import NameWalk

# What is chosen in one of these is called by its name, too.
PROCEDURES = ("action", "resolution")
# A field in a namespace, which is qualified by the text of that field.
_FIELD = re.compile(r"\{(\w+)\}")


def visit_declaration(walk: "NameWalk", node: Any, names: Mapping[str, str]) -> None:
    """Record the names in the fields that a record lists, then those in the other fields, where all are known."""
    parts = tuple(_named_parts(node, names))
    for role, namespace, part in parts:
        if role == "declares":
            _declare(walk, part, namespace)
        elif role != "binds":
            walk.use_name(part, namespace)
    with walk.new_scope():
        for role, namespace, part in parts:
            if role == "binds":
                walk.bind_parameter(part, namespace)
            elif role == "speaks_on":
                walk.term = part.text
            elif namespace in PROCEDURES:
                walk.procedure = part.text
        walk.visit_parts(node, *names)


def _named_parts(node: Any, names: Mapping[str, str]) -> Iterator[tuple[str, str, Any]]:
    """Yield each name, item or parameter in the listed fields, with its role and its namespace."""
    for field, use in names.items():
        role, _, namespaces = use.partition(" ")
        if field == "name" and getattr(node, "extends", False):
            role = "uses"
        value = getattr(node, field)
        for namespace in _FIELD.sub(lambda found: _text(getattr(node, found[1])), namespaces).split(" and "):
            for part in value if isinstance(value, tuple) else (value,):
                if part is not None:
                    yield role, namespace, part


def _text(value: source.Word | str) -> str:
    return value if isinstance(value, str) else value.text


def _declare(walk: "NameWalk", part: Any, namespace: str) -> None:
    """Record a declared name, or the name of an item and the names in it."""
    word = part if isinstance(part, source.Word) else part.name
    walk.declare(word, qualified_name(namespace, word))
    if part is not word:
        walk.visit_parts(part, "name")
    if isinstance(part, source.AddedFactor) and isinstance(part.type, source.NameType) and part.first is not None:
        # What counters show first is a member of a list or a place of a scale.
        type_name, first = part.type.names[0].text, part.first
        kind = "member" if first.text.isidentifier() else "place of scale"
        if type_name != "yes_no":
            walk.use_name(source.Word(first.span, first.text), f"{kind} {type_name}")


def qualified_name(namespace: str, word: source.Word) -> str:
    """Return the symbol of a name: `term spent`, or, in a namespace that is qualified itself, `member side.elves`."""
    return f"{namespace}{'.' if ' ' in namespace else ' '}{word.text}"
