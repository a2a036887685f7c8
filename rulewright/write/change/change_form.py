"""The values of a change, by the fields of its form, and a request of changes.

All names are declared by the stack; amounts have the syntax of rules, `6 MP` or, if the measure is implied, `6`. `why`
is a sentence of the designer, printed as that of the rule.
"""

from collections.abc import Mapping, Sequence

from rulewright.library.stacks import Stack
from rulewright.system.errors import UsageError
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass

GivenValues = Mapping[str, Sequence[str]]


@frozen_dataclass
class ChangeRequest:
    """A request of changes to a stack, by a new layer or by extending the layer of that name.

    `changes` are the names of kinds of change, each with its values. `kind` is the kind of the layer: "variant", or
    "optional" for an option of the players.
    """

    stack: str
    name: str
    changes: tuple[tuple[str, GivenValues], ...]
    kind: str


@frozen_dataclass
class ChangeForm:
    """The filled-in fields of a change of a stack; the values of a field are a list."""

    stack: Stack
    rules: graph.Graph
    values: GivenValues

    def text(self, name: str) -> str:
        """Return the value of a field; "" if there is none."""
        return next((each for each in self.values.get(name, ()) if each.strip()), "").strip()

    def values_of(self, name: str) -> tuple[str, ...]:
        """Return all values of a field."""
        return tuple(self.values.get(name, ()))

    def number(self, name: str) -> int:
        """Return the value of a field as an integer; `UsageError` if it is none."""
        try:
            return int(self.text(name))
        except ValueError:
            raise UsageError(f"`{self.text(name)}` is no whole number") from None

    def conditions(self) -> list[str]:
        """Return the conditions of the change, each in one line."""
        return [" ".join(text.split()) for text in self.values_of("when") if text.strip()]
