"""Name the tables in which answers of terms are kept, and the keys under which they are.

In: the name of a term whose answers are kept. Out: the name of its memo table, a constant of the generated module.
"""

from collections.abc import Callable
from typing import NamedTuple

from runtime.graph import nodes as graph
from runtime.state.answers import MemoTable


class MemoKey(NamedTuple):
    """By what answers are kept: texts in which {} stands for an argument, and for which; `with_board`: for good."""

    with_board: bool
    looks: tuple[tuple[str, int], ...]

    def key_expressions(self, texts: list[str]) -> list[str]:
        """Write the expressions that make the key of a memo from the texts of the arguments."""
        return [text.replace("{}", texts[at]) if "{}" in text else text for text, at in self.looks]


class MemoTables:
    """Gives each memo table of a generated module one constant."""

    def __init__(self, constant: Callable[[str, MemoTable], str]) -> None:
        """Begin with none; `constant` keeps a value under a name that nothing else has."""
        self.constant = constant
        self.names: dict[str, str] = {}  # Names of constants, by the names that were asked for.

    def table_name(self, name: str) -> str:
        """Name a memo table."""
        if name not in self.names:
            self.names[name] = self.constant(name, MemoTable())
        return self.names[name]


def parameter_numbers(term: graph.Term) -> dict[str, int]:
    """Number the parameters of a term."""
    return {parameter.name: number for number, parameter in enumerate(term.parameters)}
