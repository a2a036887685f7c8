"""Say plain values: as English, as JSON, and as the short labels of chart cells.

In: a value with its type and the state it comes from. Out: text. Hexes and pieces are numbers
in play and get their names back here; a place on a scale gets its printed name.
"""

from collections.abc import Iterable
from fractions import Fraction

from runtime.answer.answer import AbsentError, ClashError, OutsideError, Unanswered
from runtime.answer.tables import Cell
from runtime.board.answer_errors import NoGeometryError, OutOfRangeError
from runtime.board.sightline import Crossing
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.phrases import PREPOSITIONS
from runtime.state.position import State
from runtime.state.record import Record, Value

VERDICT = {True: "allowed", False: "forbidden"}
YES_NO = {True: "yes", False: "no"}


def of_map(state: State, text: str) -> str:
    """Speak of the map at hand: of areas, points or whatever the game calls its spaces, where a text says hex."""
    return words.of_map(text, state.graph.vocabulary, state.board.noun)


def value_text(state: State, value: Value, type_: graph.Type) -> str:
    """Say a value in English."""
    vocabulary = state.graph.vocabulary
    match type_:
        case _ if value is None:
            return "nothing"
        case graph.Number(_, _, measure):
            return words.amount(value, measure, vocabulary)
        case graph.YesNo():
            return YES_NO[value]
        case graph.Enum(name):
            return words.member(name, value, vocabulary)
        case graph.Scale(name):
            return words.place_name(name, value, vocabulary)
        case graph.Hex():
            return state.board.names[value]
        case graph.Piece():
            return state.sheets[value].name
        case graph.Hexside():
            return "/".join(state.board.names[h] for h in value)
        case graph.Many(_, of):
            return words.list_text([value_text(state, member, of) for member in value]) or "none"
        case graph.CellOf(table) if isinstance(value, Cell):
            inner = dict(state.graph.tables[table].cells).get(value.kind)
            return words.readable_name(value.kind) if inner is None else value_text(state, value.value, inner)
        case _:
            return untyped_text(state, value)


def value_as_name(state: State, value: Value, type_: graph.Type) -> str:
    """Say a value in the place of a name: what belongs to the red side, not to red."""
    if type_ == graph.Enum("side") and value is not None:
        return words.side(value, state.graph.vocabulary)
    return value_text(state, value, type_)


def untyped_text(state: State, value: Value) -> str:
    """Say a value whose type is not known, or is a record or crossing."""
    match value:
        case bool():
            return YES_NO[value]
        case int() | Fraction():
            return words.number(value)
        case Crossing(side, _, _, _, _):
            return "/".join(state.board.names[h] for h in side)
        case Record(type=type_, fields=fields):
            declared = {field.name: field.type for field in state.graph.vocabulary.records[type_].fields}
            led = [n for n in fields if n in PREPOSITIONS]
            noun = [words.factor_name(type_, state.graph.vocabulary)]
            noun += [f"{n} {value_as_name(state, state.field(value, n), declared[n])}" for n in led]
            rest = [n for n in fields if n not in led]
            inside = ", ".join(
                f"{words.readable_name(n)} {value_text(state, state.field(value, n), declared[n])}" for n in rest
            )
            return f"{' '.join(noun)} ({inside})" if inside else " ".join(noun)
        case tuple() | range():
            return words.list_text([untyped_text(state, member) for member in value]) or "none"
        case _:
            return words.readable_name(str(value))


def plain_data(state: State, value: Value, type_: graph.Type) -> object:
    """Make a value fit for JSON: names for what has a name, text for fractions."""
    match type_:
        case graph.Many(_, of):
            return [plain_data(state, member, of) for member in value]
        case graph.Number() if Fraction(value).denominator == 1:
            return int(value)
        case graph.YesNo():
            return bool(value)
        case graph.Number():
            return str(value)
        case graph.Enum():
            return str(value)
        case _:
            return value_text(state, value, type_)


def cell_label(state: State, table: graph.Table, keys: Iterable[Value]) -> str:
    """Label a cell by its keys: `prices[bog, small]`."""
    names = [key_name(state, value, key.type) for key, value in zip(table.keys, keys, strict=True)]
    return f"{table.name}[{', '.join(names)}]"


def key_name(state: State, value: Value, type_: graph.Type) -> str:
    """Write a key as the chart does: names as declared, numbers without their measure."""
    match type_:
        case graph.Enum():
            return str(value)
        case graph.Number():
            return words.number(value)
        case _:
            return value_text(state, value, type_)


def question_text(state: State, callee: str, arguments: Iterable[Value]) -> str:
    """Write a question to a term or a chart as one would type it."""
    rules = state.graph
    term, table = rules.terms.get(callee), rules.tables.get(callee)
    types = [part.type for part in (term.parameters if term else table.keys if table else ())]
    inside = ", ".join(key_name(state, value, type_) for value, type_ in zip(arguments, types, strict=False))
    return f"{callee}[{inside}]" if table and not term else f"{callee}({inside})"


def unanswered_because(state: State, raised: Unanswered) -> str:
    """Say in a sentence why a question has no answer."""
    if isinstance(raised, NoGeometryError | OutOfRangeError):
        return str(raised)
    if isinstance(raised, AbsentError):
        whose = f" of {raised.arguments[0]}" if raised.arguments else ""
        return f"`{raised.callee}`{whose} is read and is not there"
    question = question_text(state, raised.callee, raised.arguments)
    spoke = f": {words.list_text(raised.labels)}" if raised.labels else ""
    match raised:
        case ClashError():
            return f"rules give different answers to `{question}`{spoke}"
        case OutsideError():
            return f"the answer to `{question}` lies outside of what is declared for it{spoke}"
        case _:
            return f"no rule answers `{question}`"
