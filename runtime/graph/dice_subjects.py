"""The subjects by which a procedure's dice are keyed, as expressions over its bindings.

In: a procedure. Out: expressions for pieces, hexes and sets of them: its parameters, its top-level choices before the
first die, and the fields of records among these. They are defined wherever the procedure throws.
"""

from collections.abc import Iterator

from runtime.graph import nodes as graph
from runtime.graph.predeclared_types import SIDE, member_of
from runtime.graph.type_of import bound_types, type_of
from runtime.graph.walk import walk

# The prefix of seeds whose dice are keyed by subjects, not by phase alone (runtime/play/dice.py).
BY_ACTION = "action/"


def is_by_action(seed: str | None) -> bool:
    """Return whether dice of this seed are keyed by subjects."""
    return seed is not None and seed.startswith(BY_ACTION)


def dice_subjects(procedure: graph.Procedure, rules: graph.Graph) -> tuple[graph.Expr, ...]:
    """Return the subject expressions of a procedure; () if it throws no dice."""
    if not any(isinstance(node, graph.Roll) for node in walk(procedure.body)):
        return ()
    names: dict[str, graph.Type] = {"player": SIDE, **graph.parameter_types(procedure.parameters)}
    found = graph.parameter_types(procedure.parameters)
    for step in procedure.body:
        if any(isinstance(node, graph.Roll) for node in walk(step)):
            break
        match step:
            case graph.Choose(mode, name, source) if mode != "order":
                member = member_of(type_of(source, names, rules))
                names[name] = found[name] = graph.Many("set", member) if mode else member
            case graph.Let(name, value):
                names[name] = type_of(value, names, rules)
            case _:
                names |= bound_types(step)
    return tuple(each for name, type_ in found.items() for each in _parts(graph.Var(name), type_, rules))


def _parts(expr: graph.Expr, type_: graph.Type, rules: graph.Graph) -> Iterator[graph.Expr]:
    """Yield an expression if its type is a subject, and the fields of a record that are and are never absent."""
    if _is_subject(type_):
        yield expr
    if isinstance(type_, graph.RecordOf) and (record := rules.vocabulary.records.get(type_.name)):
        for field in record.fields:
            if field.name not in record.optional and _is_subject(field.type):
                yield graph.Get(expr, "record", record.name, field.name)


def _is_subject(type_: graph.Type) -> bool:
    """Return whether values of this type are subjects of dice."""
    if isinstance(type_, graph.Many):
        return type_.shape == "set" and _is_subject(type_.of)
    return isinstance(type_, graph.Piece | graph.Hex)
