"""Memo tables of a generated module, and the keys of their entries.

In: the name of a memoized term. Out: the name of its memo table, a constant of the generated module.
"""

from collections.abc import Callable
from typing import NamedTuple

from runtime.graph import nodes as graph
from runtime.state.answers import MemoTable


class MemoKey(NamedTuple):
    """The key of a memo: templates with {} for an argument, with its index; `with_board`: valid as long as the map."""

    with_board: bool
    reads: tuple[tuple[str, int], ...]

    def key_expressions(self, texts: list[str]) -> list[str]:
        """Return the key expressions for these argument texts."""
        return [text.replace("{}", texts[index]) if "{}" in text else text for text, index in self.reads]


class MemoTables:
    """The memo tables of a generated module, one constant each."""

    def __init__(self, constant: Callable[[str, MemoTable], str]) -> None:
        """Start without tables; `constant` adds a constant and returns its unique name."""
        self.constant = constant
        self.names: dict[str, str] = {}  # Constant names by requested name.

    def table_name(self, name: str) -> str:
        """Return the constant of a memo table; creates it at the first request."""
        if name not in self.names:
            self.names[name] = self.constant(name, MemoTable())
        return self.names[name]


def parameter_numbers(term: graph.Term) -> dict[str, int]:
    """Return the index of each parameter of a term."""
    return {parameter.name: number for number, parameter in enumerate(term.parameters)}
