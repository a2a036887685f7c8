"""The records of all classes of expressions, by class (record.py)."""

from collections.abc import Iterable, Iterator
from typing import Any

from runtime.graph import nodes as graph
from runtime.graph.expressions.collections import COLLECTIONS
from runtime.graph.expressions.conditions import CONDITIONS, symbol_of_test
from runtime.graph.expressions.literals import LITERALS
from runtime.graph.expressions.names import NAMES
from runtime.graph.expressions.operations import OPERATIONS
from runtime.graph.expressions.questions import QUESTIONS
from runtime.graph.expressions.record import ExpressionRecord, Symbol, TypeScope
from runtime.graph.walk import walk

__all__ = ["EXPRESSIONS", "ExpressionRecord", "Symbol", "TypeScope", "symbols_in", "symbols_of"]

EXPRESSIONS: dict[type, ExpressionRecord[Any]] = {
    record.node: record for record in (*LITERALS, *NAMES, *CONDITIONS, *QUESTIONS, *OPERATIONS, *COLLECTIONS)
}
_SYMBOLS = {node: record.symbols for node, record in EXPRESSIONS.items()}


def symbols_of(node: object) -> Iterable[Symbol]:
    """Return what an expression or a test names itself, without its parts; () for other nodes."""
    if isinstance(node, graph.Test):
        return (symbol_of_test(node),)
    find_symbols = _SYMBOLS.get(node.__class__)
    return () if find_symbols is None else find_symbols(node)


def symbols_in(nodes: object) -> Iterator[Symbol]:
    """Yield what the expressions and tests in some nodes name."""
    for node in walk(nodes):
        yield from symbols_of(node)
