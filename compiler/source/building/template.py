"""Templates: the notation of a form, parsed to its parts.

A template is the text of a rule of the grammar as it is written, with a slot for each field of the node:
`move {subject:sum} to {to:sum} [in {place:NAME}]`. A slot states its field and the symbol of the grammar that fills it.

| notation | is |
| --- | --- |
| `word`, `(`, `"["` | a keyword or a sign; brackets are quoted |
| `{value:expression}`, `{of:NAME|interval}` | one symbol of the grammar, or one of several |
| `{on:"mark"=yes|"unmark"=no}` | one of several words, and the value that each of them means |
| `{body:step*}`, `{keys:sum ","+}`, `{parts:sum "or"++}` | any number, at least one or two; and what divides them |
| `[of {owner:NAME}]` | parts that are written together or not at all |
| `{low:signed/number}` | a symbol with a conversion of its own (`_CONVERSIONS` of forms.py) |
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from runtime.graph.frozen_dataclass import frozen_dataclass

_PART = re.compile(r'(\s*)(?:\{([\w.]*):((?:"[^"]*"|[^{}"])+)\}|([][])|"([^"]+)"|(\w+|\.\.|\S))')
_SYMBOL = r'("[^"]*"|\w+)(?:=(\w+))?'
_SYMBOLS = re.compile(r'((?:"[^"]*"|[\w=|])+)(?:/(\w+))?(?: "([^"]*)")?([*+]*)')
_VALUES = {"yes": True, "no": False}


class FixedWord(NamedTuple):
    """A keyword or a sign, and whether a space precedes it."""

    spaced: bool
    text: str


class FieldSlot(NamedTuple):
    """The part that fills a field: one of `symbols`, each with the value that it means, None if it means itself.

    Quoted symbols are words. `repeats` is `*`, `+` or `++` for a list, whose members `separator` divides.
    """

    spaced: bool
    field: str
    symbols: dict[str, bool | str | None]
    conversion: str
    separator: str
    repeats: str

    @property
    def words(self) -> dict[str, bool | str | None]:
        """Return the words to choose from, with their meanings; empty if the slot holds anything else."""
        words = {symbol.strip('"'): value for symbol, value in self.symbols.items() if symbol.startswith('"')}
        return words if len(words) == len(self.symbols) else {}


@frozen_dataclass
class OptionalParts:
    """Parts that are written together or not at all, and whether a space precedes them."""

    spaced: bool
    parts: list["TemplatePart"]


TemplatePart = FixedWord | FieldSlot | OptionalParts


def parse_template(template: str) -> list[TemplatePart]:
    """Parse a template to its parts."""
    stack: list[list[TemplatePart]] = [[]]
    for found in _PART.finditer(template):
        space, field, symbols, bracket, quoted, word = found.groups()
        if symbols:
            stack[-1].append(_slot(space, field, symbols))
        elif bracket == "[":
            optional_parts = OptionalParts(bool(space), [])
            stack[-1].append(optional_parts)
            stack.append(optional_parts.parts)
        elif bracket:
            stack.pop()
        else:
            stack[-1].append(FixedWord(bool(space), quoted or word))
    return stack.pop()


def _slot(space: str, field: str, written: str) -> FieldSlot:
    found = _SYMBOLS.fullmatch(written)
    assert found, f"`{written}` is no symbol"
    names, conversion, separator, repeats = found.groups()
    symbols: dict[str, bool | str | None] = {}
    for symbol, value in re.findall(_SYMBOL, names):
        symbols[symbol] = _VALUES.get(value, value or None)
    return FieldSlot(bool(space), field, symbols, conversion or "", separator or "", repeats)


def flat_parts(parts: list[TemplatePart], *, optional: bool = False) -> Iterator[tuple[FixedWord | FieldSlot, bool]]:
    """Yield the words and slots of a template, each with whether it may be absent."""
    for part in parts:
        if isinstance(part, OptionalParts):
            yield from flat_parts(part.parts, optional=True)
        else:
            yield part, optional


def slots_of(parts: list[TemplatePart]) -> Iterator[FieldSlot]:
    """Yield the slots of a template."""
    return (part for part, _ in flat_parts(parts) if isinstance(part, FieldSlot))


def grammar_text(parts: list[TemplatePart]) -> str:
    """Return the parts as lark reads them."""
    return " ".join(map(_grammar_part, parts))


def _grammar_part(part: TemplatePart) -> str:
    match part:
        case FixedWord(text=text):
            return f'"{text}"'
        case OptionalParts(parts=parts):
            return f"[{grammar_text(parts)}]"
        case FieldSlot(symbols=symbols, separator=separator, repeats=repeats):
            symbol = f"({' | '.join(symbols)})" if len(symbols) > 1 else next(iter(symbols))
            if not separator:
                return symbol + repeats
            members = f'{symbol} ("{separator}" {symbol}){"+" if repeats == "++" else "*"}'
            return f"[{members}]" if repeats == "*" else members
