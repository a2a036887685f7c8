"""Memoization of functions that are called repeatedly.

In: all functions. Out: the same, where expensive functions that are called in loops are memoized in tables (Michie
1968). A set is a key by its members, a record by those of its fields that the function reads. An entry is valid as long
as no field of the footprint of the function has changed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import inf

from compiler.core import control, ir
from compiler.core.construct import YES, all_hold
from compiler.core.ir import Core
from compiler.core.passes.cost import Costs
from compiler.core.passes.footprint import FootprintAnalysis
from compiler.core.passes.inline import callees_first
from compiler.core.passes.rewriting import is_storable, subexpressions
from compiler.core.representation import BOOL, ENUM, HEX, INT, PIECE, RATIO, Record, Representation, is_bit_set
from compiler.core.sharing import Footprint, Memo, RecordKey
from runtime.graph.closure import transitive_closure

# Representations of values that index tables, and of all that are numbers.
INDICES = (PIECE, HEX, ENUM, BOOL)
NUMBER_KEYS = (*INDICES, INT, RATIO)
# The least cost of a function that is memoized. A lookup costs about ten; one by a set or a record three times as much,
# and mostly in vain: the next question is about another set or record.
WORTH, WORTH_OF_POSITION, WORTH_OF_CONTENTS = 40.0, 20.0, 400.0
MOST_INDICES = 3  # With more keys that are indices, few questions come again: games took 1.1 to 1.2 times as long.


def memoize_functions(
    functions: Mapping[str, ir.Function], footprints: Mapping[str, Footprint], option_functions: Iterable[str]
) -> dict[str, ir.Function]:
    """Return the functions with memoized ones replaced; an entry is valid until something of its footprint changes.

    `option_functions` are called repeatedly from outside the module: for each option of a choice.
    """
    costs = Costs(functions)
    repeated = called_in_loops(functions, option_functions)
    records = _read_record_fields(functions)
    memoized_functions = {}
    for name, function in functions.items():
        body = function.body
        keys = keys_of(function, records)
        if name in repeated and keys is not None and is_storable(body.representation):
            footprint = footprints[name]
            worth = WORTH_OF_CONTENTS
            if _are_indices(keys):
                worth = WORTH_OF_POSITION if footprint else WORTH
                if len(keys) > MOST_INDICES:
                    worth = inf
            if costs.function_cost(name) >= worth:
                arguments = tuple(each for each in keys if isinstance(each, ir.Local))
                fields = tuple(each for each in keys if isinstance(each, RecordKey))
                body = Memo(arguments, fields, body, footprint, body.representation)
        memoized_functions[name] = ir.Function(name, function.parameters, body)
    return memoized_functions


def memoize_openings(
    procedures: Mapping[str, control.Procedure],
    functions: Mapping[str, ir.Function],
    footprints: Mapping[str, Footprint],
) -> dict[str, control.Procedure]:
    """Return the procedures with a memo of whether an action can be completed, by its player and arguments.

    So a refusal stays valid until what it read changes.
    """
    found = dict(procedures)
    for key, procedure in procedures.items():
        head = procedure.head
        keys = procedure.names[: 1 + len(procedure.parameters)]
        if head is None or not head.choices or not _are_indices(keys) or len(keys) > MOST_INDICES:
            continue
        # The tests after each choice belong to it; what they ask of members is asked anywhere.
        tests = {procedure.completion_test(number): ir.Function("", (), YES) for number in range(len(head.finish))}
        whole = ir.Function("", keys, all_hold(list(head.finish)))
        known = {**footprints, **dict.fromkeys(tests, frozenset())}
        footprint = frozenset(FootprintAnalysis({**functions, **tests}, known, whole).reads())
        memo = Memo(keys, (), head.finish[0], footprint, BOOL)
        found[key] = replace(procedure, head=replace(head, finish=(memo, *head.finish[1:])))
    return found


def keys_of(function: ir.Function, records: "RecordFields") -> tuple[ir.Local | RecordKey, ...] | None:
    """Return what determines the answer of a function in a position: arguments, and fields of those that are records.

    It is None where an argument cannot be compared.
    """
    keys: list[ir.Local | RecordKey] = []
    for parameter in function.parameters:
        if is_key(parameter.representation):
            keys.append(parameter)
        elif fields := records.get((function.name, parameter.name)):
            keys += sorted(fields, key=str)
        else:
            return None
    return tuple(keys)


def is_key(representation: Representation) -> bool:
    """Return whether values of a representation can be compared: numbers, and sets of indices by their members."""
    return representation in NUMBER_KEYS or is_bit_set(representation)


def _are_indices(keys: tuple[ir.Local | RecordKey, ...]) -> bool:
    """Return whether all keys can index a table."""
    return all(isinstance(each, ir.Local) and each.representation in INDICES for each in keys)


RecordFields = dict[tuple[str, str], frozenset[RecordKey] | None]


def _read_record_fields(functions: Mapping[str, ir.Function]) -> RecordFields:
    """Return what functions read of each parameter that is a record; None where they use the record otherwise.

    A record that is compared or stored is more than its fields, and fields that are not keys are not compared.
    """
    found: RecordFields = {}
    for name in callees_first(functions):
        body = list(subexpressions(functions[name].body))
        for each in functions[name].parameters:
            if isinstance(each.representation, Record):
                found[name, each.name] = _fields_of(each, body, functions, found)
    return found


def _fields_of(
    record: ir.Local, body: list[Core], functions: Mapping[str, ir.Function], found: RecordFields
) -> frozenset[RecordKey] | None:
    keys: set[RecordKey] = set()
    uses = 0
    for node in body:
        match node:
            case ir.Local(name) if name == record.name:
                uses += 1
            case ir.Field(base, place, representation) if base == record and is_key(representation):
                uses -= 1
                keys.add(RecordKey(record.name, place, representation))
            case ir.HasField(base, place) if base == record:
                uses -= 1
                keys.add(RecordKey(record.name, place, None))
            case ir.Call(callee, arguments) if record in arguments and callee in functions:
                for parameter, argument in zip(functions[callee].parameters, arguments, strict=True):
                    if argument == record:
                        inner = found.get((callee, parameter.name))
                        if inner is None:
                            return None
                        uses -= 1
                        keys |= {key._replace(parameter=record.name) for key in inner}
            case _:
                pass
    return None if uses else frozenset(keys)


def called_in_loops(functions: Mapping[str, ir.Function], option_functions: Iterable[str]) -> set[str]:
    """Return the functions that are called in loops, or by such functions."""

    def called_functions(name: str) -> list[str]:
        body = functions[name].body
        return [
            each.function for each in subexpressions(body) if isinstance(each, ir.Call) and each.function in functions
        ]

    starts = {*option_functions, *(call for function in functions.values() for call in _calls_in_loops(function.body))}
    return transitive_closure(starts & functions.keys(), called_functions)


def _calls_in_loops(body: Core) -> list[str]:
    """Return the functions that a body calls in loops."""
    found: list[str] = []
    for node in subexpressions(body):
        match node:
            case ir.Fold(_, _, _, filter_condition, inner):
                repeated = (filter_condition, inner)
            case ir.Cheapest():
                repeated = (node.gate, node.price)
            case ir.Reachable(_, _, following):
                repeated = (following, None)
            case _:
                continue
        for part in repeated:
            if part is not None:
                found += [each.function for each in subexpressions(part) if isinstance(each, ir.Call)]
    return found
