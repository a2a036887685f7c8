"""The expected type at a cursor, and the types of expressions before it.

In: the text of a line before the cursor, the names of its file, and the environment of its stack. The line may be
incomplete, so it is parsed backwards: an expression has the type of the same text when the file was last type-checked.
`None` means that the type is unknown, not that no expression is allowed.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from compiler.index.occurrences import Occurrence
from compiler.source.span import Span
from compiler.typed.environment import Environment
from compiler.typed.values.calls import FUNCTIONS
from compiler.typed.values.names import CARD, CLOCK_TYPES, CROSSING_TYPES, HEX_GIVEN, PIECE_GIVEN, fields_of, tracks_of
from runtime.graph import nodes as graph
from runtime.graph.operators import OPERATORS

COMPARED = re.compile(r"([\w.()', ]*?)\s*(?:!=|=)\s*$")
MEASURED = re.compile(r"([\w.()', ]*?)\s*(?:<=|>=|<|>|\+|-)\s*$")
LISTED = re.compile(r"([\w.()', ]*?)\s+(?:not\s+)?in\s+\{(?:[\w']+,\s*)*$")
CONCLUDED = re.compile(r"^\s*(?P<term>\w+)\s+is\s+$")
DECLARED = re.compile(r"^\w+ \w+\([^()]*$")
DEFAULT = re.compile(r":\s*(\w+)\s+otherwise\s+$")
PLACED = re.compile(r"\bat\s+$")
LAST_NAME = re.compile(r"([^\W\d]\w*)(?:\([^()]*\))?\s*$")
OWNERS = re.compile(r"(?:[^\W\d]\w*(?:\([^()]*\))?\.)+$")
OPEN_CALL = re.compile(r"([^\W\d]\w*)\s*$")
NAMED = re.compile(r"\b(\w+):\s*$")


@dataclass(frozen=True, slots=True)
class LineContext:
    """A zero-based line of a text, and the names of the file; `typed_names` are those of `typed_lines`."""

    lines: list[str]
    line: int
    names: tuple[Occurrence, ...]
    typed_names: tuple[Occurrence, ...]
    typed_lines: list[str]
    first: int  # where the paragraph around begins


def expected_type(before: str, place: LineContext, env: Environment) -> graph.Type | None:
    """Return the expected type of an expression that starts at the end of a text, or continues it."""
    before = OWNERS.sub("", before)
    if concluded := CONCLUDED.match(before):
        term = env.terms.get(concluded["term"])
        return term.type if term else None
    if compared := COMPARED.search(before) or MEASURED.search(before):
        return type_before(compared[1], place, env)
    if listed := LISTED.search(before):
        return type_before(listed[1], place, env)
    if PLACED.search(before):
        return graph.Hex()
    if default := DEFAULT.search(before):
        return graph.Scale(default[1]) if default[1] in env.scales else graph.Enum(default[1])
    called = None if DECLARED.match(before) else innermost_call(before)
    if called is None:
        return None
    named = NAMED.search(before)
    return _type_of_argument(called[0], called[1], named[1] if named else "", env)


def _type_of_argument(name: str, index: int, label: str, env: Environment) -> graph.Type | None:
    """Return the type of an argument of a call, by its label if it has one, otherwise by its index."""
    if name in FUNCTIONS and name not in env.terms:
        takes = FUNCTIONS[name]
        return takes[index] if not label and index < len(takes) else None
    parameters = tuple(parameters_of(name, env))
    if label:
        return next((part.type for part in parameters if part.name == label), None)
    return parameters[index].type if index < len(parameters) else None


def parameters_of(name: str, env: Environment) -> Iterator[graph.Parameter]:
    """Yield the parameters of the callable of a name, resolved in the order of type checking.

    Those of an action are followed by its choices, which an act of an example specifies too.
    """
    if term := env.terms.get(name):
        yield from term.parameters
    elif relation := env.relations.get(name):
        yield from (relation.left, relation.right)
    elif record := env.records.get(name):
        yield from record.fields
    elif event := env.events.get(name):
        yield from event.parameters
    else:
        yield from env.resolutions.get(name) or (*env.actions.get(name, ()), *env.choices.get(name, ()))


def innermost_call(before: str) -> tuple[str, int] | None:
    """Return the innermost call that is open at the end of a text, and the number of commas in it."""
    depth = commas = 0
    for index in range(len(before) - 1, -1, -1):
        letter = before[index]
        if letter in ")]}":
            depth += 1
        elif letter in "([{":
            if depth:
                depth -= 1
            else:
                called = OPEN_CALL.search(before[:index]) if letter == "(" else None
                return (called[1], commas) if called else None
        elif letter == "," and not depth:
            commas += 1
    return None


def field_types(before: str, place: LineContext, env: Environment, *, settable: bool = False) -> dict[str, graph.Type]:
    """Return the types of the fields of the last expression of a text; only those that steps may set, if `settable`."""
    if re.search(r"\b(?:game|scenario)$", before):
        owner = "game" if before.endswith("game") else "scenario"
        return {**(CLOCK_TYPES if owner == "game" else CARD), **tracks_of(owner, env)}
    match type_before(before, place, env):
        case graph.Piece(kinds):
            owners = kinds or tuple(env.kinds.bindings)
            if settable:
                return {name: type_ for owner in owners for name, type_ in tracks_of(owner, env).items()}
            return {**fields_of(owners, env), **PIECE_GIVEN}
        case graph.Hex():
            return {**({} if settable else HEX_GIVEN), **tracks_of("hex", env)}
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
        each for each in place.typed_names if each.type and text_at(place.typed_lines, each.span) == named[1]
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
