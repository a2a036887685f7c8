"""Traits, features and statuses: what is printed or marked, unless a rule says otherwise (docs/language.md, 3).

In: a flag and its subject. Out: yes or no. What is printed is the base answer of the question
`owner.name`; most flags have no rules, and for them it is the answer.
"""

from typing import Protocol

from runtime.answer.answer import Answer
from runtime.answer.tables import Cell
from runtime.graph import nodes as graph
from runtime.state.position import State
from runtime.state.record import Value


class Answers(Protocol):
    """Whoever answers questions and reads charts: the interpreter, or a witness of what it is asked."""

    @property
    def graph(self) -> graph.Graph:
        """The rules."""

    def ask(self, state: State, name: str, arguments: tuple[Value, ...]) -> Answer:
        """Ask a term."""

    def ask_step(self, state: State, name: str, arguments: tuple[Value, ...]) -> Answer:
        """Ask a term of a step that a search over the map looks at: one of many, and nobody's reason."""

    def cell(self, state: State, name: str, keys: tuple[Value, ...]) -> Cell:
        """Read a cell of a chart."""


def has_flag(answers: Answers, state: State, flag: graph.Flag, subject: Value) -> bool:
    """Return whether a flag holds. A piece of another kind than the flag was declared for never has it."""
    key = f"{flag.owner}.{flag.name}"
    if flag.owner in answers.graph.vocabulary.kinds and state.kind[subject] != flag.owner:
        return False
    if key in answers.graph.terms:
        return bool(answers.ask(state, key, (subject,)).value)
    return is_printed(state, flag, subject)


def is_printed(state: State, flag: graph.Flag, subject: Value) -> bool:
    """Return what is printed on a piece or the map, or marked."""
    match flag.what:
        case "trait":
            return flag.name in state.traits[subject]
        case "status":
            return state.is_marked(f"{flag.owner}.{flag.name}", subject)
        case "feature" | "path" | "place" if flag.owner == "hexside":
            return flag.name in state.board.side_features(subject)
        case "feature" | "path" | "place":
            return flag.name in state.board.features[subject]
