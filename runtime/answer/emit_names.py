"""Names and scopes in generated Python code, and the names of its memo tables."""

import builtins
import keyword
import re
from collections.abc import Callable, Mapping
from dataclasses import field

from runtime.answer.support import NAMESPACE
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.state.answers import MemoTable

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
# An argument text that may be duplicated: an identifier or a literal.
SHORT = re.compile(r"-?\w+|'[^']*'")
# Endings reserved for further functions of a term.
RESERVED_ENDINGS = ("_why", "_uncached", "_holds")


def python_name(name: str) -> str:
    """Return the Python identifier of a name: `from` is from_, `force.doubled` is force__doubled.

    Capitals are reserved for constants, so a name in capitals is changed as well.
    """
    text = re.sub(r"\W", "_", name.replace(".", "__"))
    # The mapping is injective: a name that ends like a changed one is changed too, and so is `a__b`, image of `a.b`.
    is_reserved = text in RESERVED or text.endswith((*RESERVED_ENDINGS, "_")) or text.isupper() or "__" in name
    return f"{text}_" if is_reserved else text


def comment_text(text: str) -> str:
    """Return prose as one line without characters that would end a comment or docstring."""
    return " ".join(text.translate({ord("\\"): None, ord('"'): "'"}).split())


@frozen_dataclass
class NameScope:
    """A scope: the Python text of each bound name and, where known, its type."""

    texts: Mapping[str, str] = field(default_factory=dict)
    types: Mapping[str, graph.Type] = field(default_factory=dict)
    in_play: frozenset[str] = frozenset()

    def with_binding(self, name: str, text: str, type_: graph.Type, *, in_play: bool = False) -> "NameScope":
        """Return the scope with one more name; `in_play` if it is known to be a piece on the map."""
        on_map = self.in_play | {name} if in_play else self.in_play - {name}
        return NameScope({**self.texts, name: text}, {**self.types, name: type_}, on_map)

    def with_condition(self, part: graph.Expr) -> "NameScope":
        """Return the scope with the kind that a condition establishes for a name."""
        match part:
            case graph.Is(graph.Var(name), (graph.Test("kind", _, kind),), False):
                return NameScope(self.texts, {**self.types, name: graph.Piece((kind,))}, self.in_play)
            case _:
                return self


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
