"""Texts with fields in braces: how they are written, and how they are taken apart.

`{x}` says a field, `{the x}` says it with an article, `{x where}` with the hexes of its pieces, and `{x: fires, fire}`
is one of two words, the first where the field is one. Whoever compiles a text and whoever says it read it here.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

_SLOT = re.compile(r"\{([^{}]*)\}")
_INSIDE = re.compile(r"\s*(?:(the)\s+)?(\w+)(?:\s+(where))?(?:\s*:\s*([^,{}]+?)\s*,\s*([^,{}]+?))?\s*")


class Slot(NamedTuple):
    """A field in a text. `one` and `several` are the words of which one is said; "" where the field itself is."""

    field: str
    definite: bool = False
    where: bool = False
    one: str = ""
    several: str = ""


Part = str | Slot


class NoTemplate(ValueError):  # noqa: N818 -- never leaves the compiler
    """What stands in braces cannot be read; the message is the part in question."""


def parts_of(text: str) -> tuple[Part, ...]:
    """Take a text apart; raise `NoTemplate` where something in braces cannot be read."""
    found: list[Part] = []
    done = 0
    for slot in _SLOT.finditer(text):
        found += [text[done : slot.start()]] if slot.start() > done else []
        inside = _INSIDE.fullmatch(slot[1])
        if inside is None or (inside[4] and (inside[1] or inside[3])):
            raise NoTemplate(slot[0])
        definite, field, where, one, several = inside.groups()
        found.append(Slot(field, bool(definite), bool(where), one or "", several or ""))
        done = slot.end()
    rest = text[done:]
    if stray := re.search(r"[{}]", rest + "".join(part for part in found if isinstance(part, str))):
        raise NoTemplate(stray[0])
    return (*found, rest) if rest else tuple(found)


def fields_of(text: str) -> tuple[str, ...]:
    """Name the fields of a text that can be read, in order."""
    return tuple(part.field for part in parts_of(text) if isinstance(part, Slot))


def field_places(text: str, start: int, end: int) -> Iterator[tuple[str, int]]:
    """Yield the fields that can be read in a stretch of a text, and where in the text the name of each begins."""
    for slot in _SLOT.finditer(text, start, end):
        if inside := _INSIDE.fullmatch(text, *slot.span(1)):
            yield inside[2], inside.start(2)
