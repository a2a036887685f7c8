"""What was generated for a graph, kept so that no later process has to write it again.

In: the functions that `GeneratedEvaluator` made, and what they call things by. Out: `Code`, which can be pickled and
which the next `GeneratedEvaluator` of the same graph begins with. Code objects are good for the Python that made them
and for the generator that wrote them: whoever keeps them keeps them by both (rulewright/library/generated_code.py).

Functions call each other, remembered questions, charts and other constants by name, and names given twice are told
apart in the order in which they came. So what was named stays named: constants come along with the functions, and a
function that is still missing is written as if the same process had gone on.
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


class ChartOf(NamedTuple):
    """A chart, by the name of its table: the graph has it."""

    table: str


class MemoTableName(NamedTuple):
    """A memo table, by the name that was asked for."""

    name: str


class Code:
    """Functions by what they were made of, and constants by their names."""

    __slots__ = ("constants", "functions")

    def __init__(self, functions: bytes = NONE, constants: Mapping[str, Any] = {}) -> None:
        """Begin with what was kept."""
        self.functions: dict[str, CodeType] = marshal.loads(functions)
        self.constants = dict(constants)

    def copy(self) -> Self:
        """Begin with the same, and go on apart."""
        made = type(self)(NONE, self.constants)
        made.functions.update(self.functions)
        return made

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        return type(self), (marshal.dumps(self.functions), self.constants)

    def note(self, name: str, value: Any, emitter: Emitter) -> None:
        """Note what a constant is, so that it can be made again."""
        match value:
            case graph.Table():
                self.constants[name] = ChartOf(value.name)
            case MemoTable():
                asked = next(each for each, constant in emitter.memo_tables.names.items() if constant == name)
                self.constants[name] = MemoTableName(asked)
            case _:
                self.constants[name] = value

    def restore(self, emitter: Emitter) -> None:
        """Make all constants again, under their names."""
        for name, kept in self.constants.items():
            match kept:
                case ChartOf(table):
                    emitter.constants[name] = emitter.rules.tables[table]
                case MemoTableName(asked):
                    emitter.constants[name] = MemoTable()
                    emitter.memo_tables.names[asked] = name
                case value:
                    emitter.constants[name] = value


def key_of(kind: str, expr: graph.Expr, names: tuple[str, ...]) -> str:
    """Name a function that is made of an expression: the same expression over the same names has the same."""
    return f"{kind} {','.join(names)}: {make_tagged_writer(Node(type(expr)))(expr)}"


# Where the code of a graph comes from, for evaluators of a manner.
CodeOf = Callable[[graph.Graph, str], Code]
ANSWERING, HEARING = "answering", "hearing"


def none_known(_: graph.Graph, __: str) -> Code:
    """Know nothing of what was generated before."""
    return Code()
