"""Serialized generated code of a graph.

In: the functions that `GeneratedEvaluator` generated, and their constants. Out: `CompiledCode`, which can be pickled
and from which the next `GeneratedEvaluator` of the same graph starts. Code objects are valid for one version of
Python and of the generator: a store has to key them by both (rulewright/library/generated_code.py).

Functions refer to each other, to memo tables, charts and other constants by name, and clashing names are numbered in
the order of their creation. So the constants are stored with the functions, and a missing function is generated
as it would be in the same process.
"""

import marshal
from collections.abc import Callable, Mapping
from types import CodeType
from typing import Any, NamedTuple, Self

from runtime.answer.emit_expression import Emitter
from runtime.graph import nodes as graph
from runtime.graph.canonical import make_tagged_writer
from runtime.graph.node_shapes import Node
from runtime.state.answers import MemoTable

NONE = marshal.dumps({})


class _ChartReference(NamedTuple):
    """A reference to a table of the graph, by name."""

    table: str


class _MemoTableName(NamedTuple):
    """A reference to a memo table, by the name that was requested."""

    name: str


class CompiledCode:
    """Compiled functions by key (a name, or `function_key`), and constants by name.

    It serves one evaluator, since each numbers clashing names itself, and has only the constants that it made or
    restored; a further one takes a copy.
    """

    __slots__ = ("constants", "functions", "is_in_use")

    def __init__(self, functions: bytes = NONE, constants: Mapping[str, Any] = {}) -> None:
        """Start with stored functions and constants."""
        self.functions: dict[str, CodeType] = marshal.loads(functions)
        self.constants = dict(constants)
        self.is_in_use = False

    def copy(self) -> Self:
        """Return an independent copy."""
        code_copy = type(self)(NONE, self.constants)
        code_copy.functions.update(self.functions)
        return code_copy

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        return type(self), (marshal.dumps(self.functions), self.constants)

    def record_constant(self, name: str, value: Any, emitter: Emitter) -> None:
        """Record a constant as a value that can be pickled."""
        match value:
            case graph.Table():
                self.constants[name] = _ChartReference(value.name)
            case MemoTable():
                requested = next(each for each, constant in emitter.memo_tables.names.items() if constant == name)
                self.constants[name] = _MemoTableName(requested)
            case _:
                self.constants[name] = value

    def restore(self, emitter: Emitter) -> None:
        """Rebuild all constants in an emitter, under their names; raises ValueError for a second one."""
        if self.is_in_use:
            raise ValueError("generated code serves one evaluator: take a copy")
        self.is_in_use = True
        for name, stored in self.constants.items():
            match stored:
                case _ChartReference(table):
                    emitter.constants[name] = emitter.rules.tables[table]
                case _MemoTableName(requested):
                    emitter.constants[name] = MemoTable()
                    emitter.memo_tables.names[requested] = name
                case value:
                    emitter.constants[name] = value


def function_key(kind: str, expr: graph.Expr) -> str:
    """Return the key of a generated function: its kind, and the structure of its expression."""
    return f"{kind}: {make_tagged_writer(Node(type(expr)))(expr)}"


# Returns the stored code of a graph for one kind of evaluator.
CodeOf = Callable[[graph.Graph, str], CompiledCode]
ANSWERING, COUNTING = "answering", "counting"


def empty_code(_: graph.Graph, __: str) -> CompiledCode:
    """Return empty code: a source without a store."""
    return CompiledCode()
