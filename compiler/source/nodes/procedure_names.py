"""Names of parts of play: an action, a phase, a hook on an event; and of a procedure that another replaces."""

from compiler.source.nodes.words import Word
from compiler.source.span import Node
from runtime.graph.frozen_dataclass import frozen_dataclass

# The sort in the graph of what has another name in a text.
SORT_IN_GRAPH = {"end": "hook", "reaction": "action"}


@frozen_dataclass
class ProcedureName(Node):
    """A named part of play.

    `what` is action, reaction, resolution, phase, sequence, hook (of an event) or end (of a moment).
    """

    what: str
    name: Word

    @property
    def event(self) -> str:
        """Return the name that procedures use; for a hook, the name of its event."""
        return f"end of {self.name.text}" if self.what == "end" else self.name.text

    @property
    def source_text(self) -> str:
        """Return the name as its author writes it."""
        match self.what:
            case "sequence":
                return "sequence"
            case "hook" | "end":
                return f"after {self.event}"
            case keyword:
                return f"{keyword} {self.name.text}"

    @property
    def key(self) -> str:
        """Return the key in the graph."""
        return self.what if self.what == "sequence" else f"{SORT_IN_GRAPH.get(self.what, self.what)}:{self.event}"


@frozen_dataclass
class ReplacedProcedure(Node):
    """`replaces resolution shake of core expecting "1f3a9c20"`: the procedure that is replaced.

    `layer` distinguishes hooks on one event; `expecting` is the hash of the procedure below
    (layered/replaced_procedures.py).
    """

    target: ProcedureName
    layer: Word | None
    expecting: Word | None
