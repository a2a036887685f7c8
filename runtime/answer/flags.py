"""Traits, features and statuses: the printed or marked value, unless a rule overrides it (docs/language.md, 3).

In: a flag and its subject. Out: a boolean. The printed value is the default of the question `owner.name`; most flags
have no rules, so that it is the answer.
"""

from typing import TYPE_CHECKING

from runtime.graph import nodes as graph
from runtime.state.position import State
from runtime.state.record import Value

if TYPE_CHECKING:
    from runtime.answer.interpreter import Interpreter


def has_flag(answers: "Interpreter", state: State, flag: graph.Flag, subject: Value) -> bool:
    """Return whether a flag holds. A piece of another kind than the flag was declared for never has it."""
    key = f"{flag.owner}.{flag.name}"
    if flag.owner in answers.graph.vocabulary.kinds and state.kind[subject] != flag.owner:
        return False
    if key in answers.graph.terms:
        return bool(answers.ask(state, key, (subject,)).value)
    return is_printed(state, flag, subject)


def is_printed(state: State, flag: graph.Flag, subject: Value) -> bool:
    """Return the printed or marked value of a flag."""
    match flag.what:
        case "trait":
            return flag.name in state.traits[subject]
        case "status":
            return state.is_marked(f"{flag.owner}.{flag.name}", subject)
        case "feature" | "path" | "place" if flag.owner == "hexside":
            return flag.name in state.board.side_features(subject)
        case "feature" | "path" | "place":
            return flag.name in state.board.features[subject]
