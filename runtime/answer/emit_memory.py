"""Write how remembered answers are looked up.

In: the name of a term whose answers are remembered. Out: the name of its memo table, and inside a pass a look into
the table before the call: a pass over a hundred hexes asks the same of each, and most answers are known. The table is
looked up once, before the pass begins.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from runtime.answer.looked_up_once import statement_with
from runtime.graph import nodes as graph
from runtime.state.answers import MemoTable

KNOWN = "_known"
LOOKED_UP = re.compile(rf"\b\w+{KNOWN}\b")


class MemoKey(NamedTuple):
    """By what answers are kept: texts in which {} stands for an argument, and for which; `by_map`: for good."""

    by_map: bool
    looks: tuple[tuple[str, int], ...]

    def key(self, texts: list[str]) -> list[str]:
        """Write the parts of the key for arguments."""
        return [text.replace("{}", texts[at]) if "{}" in text else text for text, at in self.looks]


class Memories:
    """Names memo tables, and writes looks into them. `of` says how a term's answers are kept, if they are."""

    def __init__(self, constant: Callable[[str, MemoTable], str]) -> None:
        """Nothing is kept before somebody says how."""
        self.constant = constant
        self.of: Callable[[str], MemoKey | None] = lambda _: None
        self.tables: dict[str, str] = {}  # Names of constants, by the names that were asked for.
        self.places: dict[str, str] = {}

    def table(self, name: str) -> str:
        """Name a memo table."""
        if name not in self.tables:
            self.tables[name] = self.constant(name, MemoTable())
        return self.tables[name]

    def term(self, term: str, name: str, texts: list[str]) -> tuple[str, list[str]] | None:
        """Write which memory of a position a term has, and the parts of the key for these arguments."""
        kept = self.of(term)
        if kept is None or kept.by_map:
            return None
        return f"s.answers[{self.table(f'TERM_{name}_MEMORY')}]", kept.key(texts)

    def looked_up(self, name: str, memory: str, key: list[str], call: str) -> str:
        """Write a look into a memory, and the call if nothing is known there."""
        self.places[name + KNOWN] = f"{memory}.get"
        parts = key[0] if len(key) == 1 else f"({', '.join(key)})"
        return f"(known if (known := {name}{KNOWN}({parts})) is not None else {call})"

    def found_first(self, lines: list[str]) -> list[str]:
        """Put in front of the statement that first looks into a memory where that is."""
        for name in dict.fromkeys(LOOKED_UP.findall("\n".join(lines))):
            first = statement_with(lines, name)
            lines = [*lines[:first], f"{name} = {self.places[name]}", *lines[first:]]
        return lines


def positions(term: graph.Term) -> dict[str, int]:
    """Number the parameters of a term."""
    return {parameter.name: number for number, parameter in enumerate(term.parameters)}
