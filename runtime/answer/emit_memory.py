"""Write how remembered answers are looked up.

In: the name of a term whose answers are remembered. Out: the name of its `Question`, and inside a pass a look into
the memory before the call: a pass over a hundred hexes asks the same of each, and most answers are known. Where the
memory is, is found out once, before the pass begins.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from runtime.answer.looked_up_once import statement_with
from runtime.graph import nodes as graph
from runtime.state.memory import Question, Resting

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
    """Names questions and looks into their memories. `of` says how a term's answers are kept, if they are."""

    def __init__(self, rests: Callable[[str], Resting], constant: Callable[[str, Question], str]) -> None:
        """Nothing is kept before somebody says how."""
        self.rests = rests
        self.constant = constant
        self.of: Callable[[str], MemoKey | None] = lambda _: None
        self.questions: dict[str, str] = {}
        self.asked: dict[str, tuple[str, str]] = {}  # By the name of the constant: the term, and what was named so.
        self.places: dict[str, str] = {}

    def question(self, term: str, name: str) -> str:
        """Name what a term's answers are remembered under."""
        if name not in self.questions:
            self.questions[name] = self.constant(name, Question(self.rests(term)))
            self.asked[self.questions[name]] = (term, name)
        return self.questions[name]

    def term(self, term: str, name: str, texts: list[str]) -> tuple[str, list[str]] | None:
        """Write which memory of a position a term has, and the parts of the key for these arguments."""
        kept = self.of(term)
        if kept is None or kept.by_map:
            return None
        return f"s.answers[{self.question(term, f'TERM_{name}_MEMORY')}]", kept.key(texts)

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
