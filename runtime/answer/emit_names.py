"""Names in generated Python: what a rule's name becomes, and what each stands for where."""

import builtins
import keyword
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from runtime.answer.support import NAMESPACE
from runtime.graph import nodes as graph

LOCAL = (
    "s",
    "b",
    "n",
    "why",
    "value",
    "total",
    "said",
    "expression",
    "stream",
    "included",
    "excluded",
    "memory",
    "key",
    "to_clamp",
)
RESERVED = {*LOCAL, *NAMESPACE, "__builtins__", *dir(builtins), *keyword.kwlist, *keyword.softkwlist}
# An argument that may be written more than once: a name, a number, a word.
SHORT = re.compile(r"-?\w+|'[^']*'")
# What a name must not end with: functions beside that of a term are called after it with one of these.
RESERVED_ENDINGS = ("_why", "_uncached", "_holds")


def python_name(name: str) -> str:
    """Make a Python name of a name: `from` is from_, `force.doubled` is force__doubled.

    Capitals are for constants, so a name that is all capitals is not left alone either.
    """
    text = re.sub(r"\W", "_", name.replace(".", "__"))
    # No two names may become one: what ends like a name that was moved aside moves on, `a__b` makes room for `a.b`.
    taken = text in RESERVED or text.endswith((*RESERVED_ENDINGS, "_")) or text.isupper() or "__" in name
    return f"{text}_" if taken else text


def comment_text(text: str) -> str:
    """Make prose fit to stand in a comment or a docstring: one line, and no end of either."""
    return " ".join(text.translate({ord("\\"): None, ord('"'): "'"}).split())


@dataclass(frozen=True, slots=True)
class Scope:
    """The names bound so far: their Python texts and, where known, their types."""

    texts: Mapping[str, str] = field(default_factory=dict)
    types: Mapping[str, graph.Type] = field(default_factory=dict)
    in_play: frozenset[str] = frozenset()

    def with_binding(self, name: str, text: str, type_: graph.Type, *, in_play: bool = False) -> "Scope":
        """Bind one more name; `in_play` if it is known to be a piece on the map."""
        on_map = self.in_play | {name} if in_play else self.in_play - {name}
        return Scope({**self.texts, name: text}, {**self.types, name: type_}, on_map)

    def knowing_condition(self, part: graph.Expr) -> "Scope":
        """Know what a condition has said of a name's kind."""
        match part:
            case graph.Is(graph.Var(name), (graph.Test("kind", _, kind),), False):
                return Scope(self.texts, {**self.types, name: graph.Piece((kind,))}, self.in_play)
            case _:
                return self
