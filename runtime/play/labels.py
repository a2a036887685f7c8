"""Say an option in words short enough for a list: names of hexes and pieces instead of their numbers.

In: an option and the types of its values. Out: text. Labels are also what a trial writes down, so
they must not depend on the process, on sets, or on what has been played before.
"""

from runtime.graph import nodes as graph
from runtime.play.choices import END, STOP, TAKE, Decision, Option
from runtime.play.instructions import Program
from runtime.state.position import State
from runtime.state.record import Record, Value


def label(state: State, programs: dict[str, Program], decision: Decision, option: Option) -> str:
    """Say an option: `march`, `march(A-1)`, `B2`, `stop`, `end`."""
    if option.what in (END, STOP):
        return option.what
    if option.what != TAKE:
        return say(state, decision.member, option.value)
    parameters = programs[f"action:{option.name}"].procedure.parameters
    said = (say(state, p.type, value) for p, value in zip(parameters, option.value, strict=True))
    return f"{option.name}({', '.join(said)})" if parameters else option.name


def say(state: State, type_: graph.Type | None, value: Value) -> str:
    """Say a value of a type."""
    match type_:
        case graph.YesNo():
            return "yes" if value else "no"
        case graph.Hex():
            return state.board.names[value]
        case graph.Piece():
            return state.sheets[value].name
        case graph.Hexside():
            return "/".join(state.board.names[h] for h in value)
        case graph.Crossing():
            return "/".join(state.board.names[h] for h in value.side)
        case graph.Scale(name):
            places = state.graph.vocabulary.scales[name].places
            return next((word for word, at in places if at == value), str(value))
        case graph.Many(_, of):
            return f"{{{', '.join(say(state, of, member) for member in value)}}}"
        case graph.RecordOf(name) if isinstance(value, Record):
            return f"{name}({', '.join(_fields(state, value))})"
        case _:
            return str(value)


def _fields(state: State, record: Record) -> list[str]:
    declared = state.graph.vocabulary.records[record.type].fields
    values = ((p, state.field(record, p.name)) for p in declared)
    return [f"{p.name}: {say(state, p.type, value)}" for p, value in values if value is not None]
