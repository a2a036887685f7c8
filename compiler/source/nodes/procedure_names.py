"""Names of what is done: an action, a phase, a hook on an event; and of the procedure that another replaces."""

from compiler.source.nodes.words import Word
from compiler.source.span import Span
from runtime.graph.frozen_dataclass import dataclass

# Under which sort the graph has what is called otherwise in a text.
KEYS = {"end": "hook", "reaction": "action"}


@dataclass(frozen=True, slots=True)
class Doing:
    """A named part of play.

    `what` is action, reaction, resolution, phase, sequence, hook (of an event) or end (of a moment).
    """

    span: Span
    what: str
    name: Word

    @property
    def event(self) -> str:
        """Return the name that procedures use: of a hook, that of its event."""
        return f"end of {self.name.text}" if self.what == "end" else self.name.text

    @property
    def source_text(self) -> str:
        """Write it as its author does."""
        match self.what:
            case "sequence":
                return "sequence"
            case "hook" | "end":
                return f"after {self.event}"
            case what:
                return f"{what} {self.name.text}"

    @property
    def key(self) -> str:
        """Write it in one word, as the graph does."""
        return self.what if self.what == "sequence" else f"{KEYS.get(self.what, self.what)}:{self.event}"


@dataclass(frozen=True, slots=True)
class Replacing:
    """`replaces resolution shake of core expecting "1f3a9c20"`: in whose place a procedure stands.

    `layer` tells hooks on one event apart; `expecting` is the print of what stands below
    (layered/replaced_procedures.py).
    """

    span: Span
    target: Doing
    layer: Word | None
    expecting: Word | None
