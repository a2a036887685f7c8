"""Steps that change the position as records, all of whose fields have to be given.

Such a step is one `StepRecord` in a file of its family: `notes.py`, `pieces.py`, `relations.py`. What it does is stated
once, as primitive effects (primitives.py): both engines carry these out, and what a step reads, writes, moves, binds
and is called by in preconditions is derived from them. Where a step has several, all operands are read before the
first acts.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, TypeVar

from runtime.graph import nodes as graph
from runtime.graph.effects.primitives import PrimitiveEffect
from runtime.graph.frozen_dataclass import frozen_dataclass

if TYPE_CHECKING:
    from runtime.graph.wording import Wording

S = TypeVar("S", bound=graph.ChangingStep)


@frozen_dataclass
class StepRecord(Generic[S]):
    """A step that changes the position. `title` is its beginning, as reports name it, `phrase` what it does."""

    node: type[S]
    does: Callable[[S], tuple[PrimitiveEffect[graph.Expr], ...]]
    title: Callable[[S], str]
    phrase: "Callable[[Wording, S], str]"
