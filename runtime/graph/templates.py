"""The syntax of text templates.

`{x}` is a field, `{the x}` a field with an article, `{x where}` one with the hexes of its pieces, and
`{x: fires, fire}` one of two words, by number. Compiler and runtime share this parser.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

_SLOT = re.compile(r"\{([^{}]*)\}")
_INSIDE = re.compile(r"\s*(?:(the)\s+)?(\w+)(?:\s+(where))?(?:\s*:\s*([^,{}]+?)\s*,\s*([^,{}]+?))?\s*")


class Slot(NamedTuple):
    """A slot of a template. `singular` and `plural` are its words; "" where the field is printed."""

    field: str
    is_definite: bool = False
    with_hexes: bool = False
    singular: str = ""
    plural: str = ""


Part = str | Slot


class NoTemplate(ValueError):  # noqa: N818 -- never leaves the compiler
    """Raised for braces that cannot be parsed; the message is the part in question."""


def parse_template(text: str) -> tuple[Part, ...]:
    """Parse a template; raises `NoTemplate`."""
    found: list[Part] = []
    position = 0
    for slot in _SLOT.finditer(text):
        found += [text[position : slot.start()]] if slot.start() > position else []
        content = _INSIDE.fullmatch(slot[1])
        if content is None or (content[4] and (content[1] or content[3])):
            raise NoTemplate(slot[0])
        definite, field, with_hexes, singular, plural = content.groups()
        found.append(Slot(field, bool(definite), bool(with_hexes), singular or "", plural or ""))
        position = slot.end()
    rest = text[position:]
    if brace := re.search(r"[{}]", rest + "".join(part for part in found if isinstance(part, str))):
        raise NoTemplate(brace[0])
    return (*found, rest) if rest else tuple(found)


def without_slots(text: str) -> str:
    """Return a template with a space in the place of each slot."""
    return _SLOT.sub(" ", text)


def template_fields(text: str) -> tuple[str, ...]:
    """Return the fields of a template, in order."""
    return tuple(part.field for part in parse_template(text) if isinstance(part, Slot))


def field_places(text: str, start: int, end: int) -> Iterator[tuple[str, int]]:
    """Yield the fields in a range of a text that parse, with the index of their names."""
    for slot in _SLOT.finditer(text, start, end):
        if content := _INSIDE.fullmatch(text, *slot.span(1)):
            yield content[2], content.start(2)
