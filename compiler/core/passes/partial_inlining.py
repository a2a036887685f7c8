"""Partial inlining: the first conditions of a verdict are tested by its callers (Muth and Debray 2000).

In: all functions. Out: the same, where a verdict about sets or records is split into a function that tests the clauses
that read only other arguments and plain fields, and the rest (worker and wrapper: Gill and Hutton 2009). A loop that
asks such a verdict tests these clauses itself, with the arguments of its call. So candidates that they reject need no
set or record, and no lookup by its contents.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace

from compiler.core import ir
from compiler.core.construct import NO, YES
from compiler.core.ir import Core, If, Local
from compiler.core.passes.inline import REST
from compiler.core.passes.rewriting import FreshNames, subexpressions, substitute, with_parts
from compiler.core.passes.totality import is_total
from compiler.core.representation import BOOL, List, Record, Representation, Set
from compiler.core.trap_reason import TrapReason

Functions = Mapping[str, ir.Function]
Fields = tuple[Core | None, ...]  # Of a record; None where one is absent.


def split_verdicts(functions: Functions) -> dict[str, ir.Function]:
    """Return the functions with verdicts split whose first clauses read no contents of an argument, but others do."""
    found: dict[str, ir.Function] = {}
    for name, function in functions.items():
        first, rest = _parts(function)
        found[name] = function
        if first and rest:
            call = ir.Call(name + REST, function.parameters, BOOL)
            body = If(ir.Verdict(first, default=True), call, NO, BOOL)
            found[name] = replace(function, body=body)
            found[name + REST] = ir.Function(name + REST, function.parameters, ir.Verdict(rest, default=True))
    return found


def _parts(function: ir.Function) -> tuple[tuple[tuple[ir.Clause, bool | None], ...], ...]:
    """Return the clauses that a caller can test, and the rest; nothing where a verdict cannot be split."""
    contents = {each.name for each in function.parameters if has_contents(each.representation)}
    match function.body:
        case ir.Verdict(clauses, True, tally=None) if contents and all(grants is not True for _, grants in clauses):
            count = 0
            while count < len(clauses) and _is_plain(clauses[count][0], contents):
                count += 1
            needed = {label for clause, _ in clauses[count:] for label in clause.defeated_by}
            if any(clause.label in needed for clause, _ in clauses[:count]):
                return (), ()
            return clauses[:count], clauses[count:]
        case _:
            return (), ()


def _is_plain(clause: ir.Clause, contents: set[str]) -> bool:
    return not clause.lazy and not reads_contents(clause.guard, contents)


def has_contents(representation: Representation) -> bool:
    """Return whether values are compared by their contents: records, and sets and lists."""
    return isinstance(representation, Record | Set | List)


def reads_contents(node: Core | None, names: Collection[str]) -> bool:
    """Return whether an expression reads a set or list among these names, or more of a record than plain fields."""
    uses = 0
    for part in () if node is None else subexpressions(node):
        match part:
            case Local(name) if name in names:
                uses += 1
            case ir.Field(Local(name), _, representation) if name in names and not has_contents(representation):
                uses -= 1
            case ir.HasField(Local(name)) if name in names:
                uses -= 1
            case _:
                pass
    return uses > 0


class PartialInlining:
    """Inlining of the first part of split verdicts in loops."""

    def __init__(self, functions: Functions, fresh: FreshNames) -> None:
        """Start with the functions whose bodies are inlined."""
        self.functions = functions
        self.fresh_names = fresh

    def inline_tests(self, node: Core) -> Core:
        """Return an expression with the first tests of split verdicts in its loops."""
        node = with_parts(node, self.inline_tests)
        if not isinstance(node, ir.Fold):
            return node
        condition, body = (part and self.with_tests(part) for part in (node.condition, node.body))
        return replace(node, condition=condition, body=body)

    def with_tests(self, node: Core) -> Core:
        """Return an expression in a loop with the first tests of the split verdicts that it asks."""
        if not isinstance(node, ir.Fold):
            node = with_parts(node, self.with_tests)
        if not isinstance(node, ir.Call) or node.function + REST not in self.functions:
            return node
        verdict = self.functions[node.function]
        bindings = Bindings(self.fresh_names)
        values: dict[str, Core] = {}
        records: dict[str, Fields] = {}
        for parameter, argument in zip(verdict.parameters, node.arguments, strict=True):
            value, fields = self.argument_value(argument, bindings)
            values[parameter.name] = value
            if fields is not None:
                records[parameter.name] = fields
        body = self.fresh_names.copy_with_fresh_names(verdict.body, {})
        return bindings.bound_in(substitute(_with_fields(body, records), values))

    def argument_value(self, argument: Core, bindings: "Bindings") -> tuple[Core, Fields | None]:
        """Return an argument whose parts that may trap are bound first; also its fields if it makes a record."""
        if isinstance(argument, ir.NewRecord):
            fields = bindings.bind_fields(argument.fields)
            return replace(argument, fields=fields), fields
        if not isinstance(argument, ir.Call) or not isinstance(argument.representation, Record):
            return bindings.bind(argument), None
        callee = self.functions[argument.function]
        if not isinstance(callee.body, ir.NewRecord):
            return bindings.bind(argument), None
        parts = tuple(map(bindings.bind, argument.arguments))
        names = {each.name: part for each, part in zip(callee.parameters, parts, strict=True)}
        record = self.fresh_names.copy_with_fresh_names(callee.body, names)
        assert isinstance(record, ir.NewRecord)
        return replace(argument, arguments=parts), bindings.bind_fields(record.fields)


class Bindings:
    """Values that are bound before an expression, in the order of their evaluation, because they may trap."""

    def __init__(self, fresh: FreshNames) -> None:
        """Start with none."""
        self.fresh_names = fresh
        self.values: list[tuple[str, Core]] = []

    def bind(self, value: Core) -> Core:
        """Return a value, by a name if it may trap."""
        if is_total(value):
            return value
        name = self.fresh_names.fresh_name("first")
        self.values.append((name, value))
        return Local(name, value.representation)

    def bind_fields(self, fields: Fields) -> Fields:
        """Return the fields of a record, by names if they may trap."""
        return tuple(None if field is None else self.bind(field) for field in fields)

    def bound_in(self, body: Core) -> Core:
        """Return an expression after the bindings."""
        for name, value in reversed(self.values):
            body = ir.Let(name, value, body, body.representation)
        return body


def _with_fields(node: Core, records: Mapping[str, Fields]) -> Core:
    """Replace the fields of records by their values."""
    match node:
        case ir.Field(Local(name), place, representation) if name in records:
            value = records[name][place]
            return ir.Trap(TrapReason.ABSENT, representation) if value is None else value
        case ir.HasField(Local(name), place) if name in records:
            return NO if records[name][place] is None else YES
        case _:
            return with_parts(node, lambda part: _with_fields(part, records))
