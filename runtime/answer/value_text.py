"""Formatting of values: as English, as JSON, and as labels of chart cells.

In: a value with its type and state. Out: text. Hexes and pieces, which are indexes at run time, are printed by name; so
are places on a scale.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from runtime.answer.tables import CellContent
from runtime.board.sightline import Crossing
from runtime.graph import answer_errors, words
from runtime.graph import nodes as graph
from runtime.graph.english import predicate_text
from runtime.graph.phrases import PREPOSITIONAL_NAMES
from runtime.state.position import State
from runtime.state.record import Record, Value

# The names of a list that are written out.
MOST_NAMED = 5
VERDICT = {True: "allowed", False: "forbidden"}
YES_NO = {True: "yes", False: "no"}


def with_space_noun(state: State, text: str) -> str:
    """Return a text in which the noun of the board's spaces (area, point ..) replaces "hex"."""
    return words.with_space_nouns(text, state.graph.vocabulary, state.board.noun)


def value_text(state: State, value: Value, type_: graph.Type) -> str:
    """Format a value in English."""
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
        case graph.Hex() | graph.Piece() | graph.Hexside():
            return _name_on_map(state, value, type_)
        case graph.Many(_, member_type):
            return words.list_text([value_text(state, member, member_type) for member in value]) or "none"
        case graph.CellOf(table) if isinstance(value, CellContent):
            inner = dict(state.graph.tables[table].cells).get(value.kind)
            return words.readable_name(value.kind) if inner is None else value_text(state, value.value, inner)
        case _:
            return untyped_text(state, value)


def _name_on_map(state: State, value: Value, type_: graph.Hex | graph.Piece | graph.Hexside) -> str:
    """Return the name of a hex or a piece; of a hexside, those of both hexes."""
    match type_:
        case graph.Hex():
            return state.board.names[value]
        case graph.Piece():
            return state.sheets[value].name
        case graph.Hexside():
            return "/".join(state.board.names[h] for h in value)


def answer_text(state: State, term: graph.Term, value: Value) -> str:
    """Format the answer to a question."""
    return VERDICT[value] if term.form == "verdict" else value_text(state, value, term.type)


def value_as_name(state: State, value: Value, type_: graph.Type) -> str:
    """Format a value for use as a noun: "the red side", not "red"."""
    if type_ == graph.Enum("side") and value is not None:
        return words.side(value, state.graph.vocabulary)
    return value_text(state, value, type_)


def untyped_text(state: State, value: Value) -> str:
    """Format a value of unknown type, a record or a crossing."""
    match value:
        case bool():
            return YES_NO[value]
        case int() | Fraction():
            return words.number(value)
        case Crossing(side, _, _, _, _):
            return "/".join(state.board.names[h] for h in side)
        case Record():
            return _record_text(state, value)
        case tuple() | range():
            return words.list_text([untyped_text(state, member) for member in value]) or "none"
        case _:
            return words.readable_name(str(value))


def _record_text(state: State, record: Record) -> str:
    """Format a record: "a march from A to B (slow; price: 3)"."""
    vocabulary = state.graph.vocabulary
    declared = {field.name: field.type for field in vocabulary.records[record.type].fields}
    noun = words.article(words.factor_name(record.type, vocabulary))
    field_texts: list[str] = []
    for name in record.fields:
        value = state.field(record, name)
        if name in PREPOSITIONAL_NAMES:
            noun += f" {name} {value_as_name(state, value, declared[name])}"
        else:
            field_texts.append(_field_text(state, name, value, declared[name]))
    return f"{noun} ({'; '.join(field_texts)})" if field_texts else noun


def _field_text(state: State, name: str, value: Value, type_: graph.Type) -> str:
    """Format a field of a record as sentences describe that of a new one: "slow", "price: 3", "not free"."""
    if isinstance(type_, graph.Enum) and value is not None and type_.name not in ("side", "kind"):
        return value_text(state, value, type_)
    factor = words.factor_name(name, state.graph.vocabulary)
    if isinstance(type_, graph.YesNo) and value is not None:
        return predicate_text("it", factor, holds=value).removeprefix("it ").removeprefix("is ")
    return f"{factor}: {value_text(state, value, type_)}"


def value_data(state: State, value: Value, type_: graph.Type) -> object:
    """Return a value as JSON data: names for named values, text for fractions."""
    match type_:
        case graph.Many(_, member_type):
            return [value_data(state, member, member_type) for member in value]
        case graph.Number() if Fraction(value).denominator == 1:
            return int(value)
        case graph.YesNo():
            return bool(value)
        case graph.Number() | graph.Enum():
            return str(value)
        case _:
            return value_text(state, value, type_)


def cell_label(state: State, table: graph.Table, keys: Iterable[Value]) -> str:
    """Return the label of a cell with its keys: `prices[bog, small]`."""
    names = [_key_name(state, value, key.type) for key, value in zip(table.keys, keys, strict=True)]
    return f"{table.name}[{', '.join(names)}]"


def _key_name(state: State, value: Value, type_: graph.Type) -> str:
    """Format a key as the chart does: names as declared, numbers without their unit."""
    match type_:
        case graph.Enum():
            return str(value)
        case graph.Number():
            return words.number(value)
        case _:
            return value_text(state, value, type_)


def question_text(state: State, callee: str, arguments: Iterable[Value]) -> str:
    """Format a question to a term or a chart in the syntax of the language."""
    rules = state.graph
    term, table = rules.terms.get(callee), rules.tables.get(callee)
    types = [part.type for part in (term.parameters if term else table.keys if table else ())]
    argument_text = ", ".join(_key_name(state, value, type_) for value, type_ in zip(arguments, types, strict=False))
    return f"{callee}[{argument_text}]" if table and not term else f"{callee}({argument_text})"


def unanswered_reason(state: State, error: answer_errors.Unanswered) -> str:
    """Return a sentence that states why a question has no answer."""
    if isinstance(error, answer_errors.NoGeometryError | answer_errors.OutOfRangeError):
        return str(error)
    if isinstance(error, answer_errors.AbsentError):
        if reason := error.without_hex():
            return reason
        if error.callee.startswith("scenario."):
            return f"`{error.callee}` is not given"
        owner_text = f" of {error.arguments[0]}" if error.arguments else ""
        return f"`{error.callee}`{owner_text} is read and is not there"
    question = question_text(state, error.callee, error.arguments)
    label_text = f": {words.list_text(error.labels)}" if error.labels else ""
    match error:
        case answer_errors.ClashError():
            return f"rules give different answers to `{question}`{label_text}"
        case answer_errors.OutsideError():
            return f"the answer to `{question}` lies outside of what is declared for it{label_text}"
        case _:
            return f"no rule answers `{question}`"


def bracketed_citations(cites: tuple[str, ...]) -> str:
    """Format citations in brackets, after a space; "" for none."""
    return f" [{', '.join(cites)}]" if cites else ""


def names_text(names: Sequence[str]) -> str:
    """Return the first of some names as a list, with the number of the others."""
    more = [f"{len(names) - MOST_NAMED} more"] if len(names) > MOST_NAMED else []
    return words.list_text([*names[:MOST_NAMED], *more])
