"""The type of the expression before a cursor.

In: the text of a line before the cursor, the names of its file, and the environment of its stack. The line may be
incomplete, so it is parsed backwards: an expression has the type of the same text when the file was last type-checked.
"""

import re

from compiler.index.occurrences import Occurrence
from compiler.source.span import Span
from compiler.typed.environment import Environment
from compiler.typed.values.calls import FUNCTIONS
from compiler.typed.values.names import CARD, CLOCK_TYPES, CROSSING_TYPES, HEX_GIVEN, PIECE_GIVEN, fields_of, tracks_of
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.operators import OPERATORS

LAST_NAME = re.compile(r"([^\W\d]\w*)(?:\([^()]*\))?\s*$")


@frozen_dataclass
class LineContext:
    """A zero-based line of a text, and the names of the file; `typed_names` are those of `typed_lines`."""

    lines: list[str]
    line: int
    names: tuple[Occurrence, ...]
    typed_names: tuple[Occurrence, ...]
    typed_lines: list[str]
    first: int  # where the paragraph around begins


def field_types(before: str, place: LineContext, env: Environment) -> dict[str, graph.Type]:
    """Return the types of the fields of the last expression of a text."""
    if re.search(r"\b(?:game|scenario)$", before):
        owner = "game" if before.endswith("game") else "scenario"
        return {**(CLOCK_TYPES if owner == "game" else CARD), **tracks_of(owner, env)}
    match type_before(before, place, env):
        case graph.Piece(kinds):
            return {**fields_of(kinds or tuple(env.kinds.bindings), env), **PIECE_GIVEN}
        case graph.Hex():
            return {**HEX_GIVEN, **tracks_of("hex", env)}
        case graph.Enum("side"):
            return tracks_of("side", env)
        case graph.RecordOf(name):
            return {part.name: part.type for part in env.records.bindings[name].fields}
        case graph.Crossing():
            return dict(CROSSING_TYPES)
        case _:
            return {}


def type_before(before: str, place: LineContext, env: Environment) -> graph.Type | None:
    """Return the type of the last expression of a text: of a field, a call, or the nearest equal name."""
    named = LAST_NAME.search(before)
    if named is None:
        return None
    owner, dot, _ = before[: named.start() + 1].rpartition(".")
    if dot and before[: named.start()].endswith(".") and (found := field_types(owner, place, env).get(named[1])):
        return found
    occurrences = [
        name for name in place.typed_names if name.type and text_at(place.typed_lines, name.span) == named[1]
    ]
    nearest = min(occurrences, key=lambda each: abs(each.span.line - 1 - place.line), default=None)
    if nearest is not None:
        return nearest.type
    if named[1] in env.terms:
        return env.terms.bindings[named[1]].type
    result = OPERATORS[named[1]].result if named[1] in FUNCTIONS else None
    return None if callable(result) else result


def words_of_type(type_: graph.Type | None, env: Environment) -> tuple[str, ...]:
    """Return the identifiers of the values of a type; empty if they have none."""
    match type_:
        case graph.Enum(name):
            return env.members(name)
        case graph.Scale(name):
            return tuple(f"'{place}'" for place, _ in env.scales.bindings[name].places)
        case _:
            return ()


def text_at(lines: list[str], span: Span) -> str:
    """Return the text of a span within one line."""
    return lines[span.line - 1][span.column - 1 : span.end_column - 1] if span.line <= len(lines) else ""
