"""Nodes that share a value between its uses; lowering makes none of them, passes do."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from compiler.core.representation import Representation

if TYPE_CHECKING:
    from compiler.core.ir import Core, Local
else:
    # `ir` imports this module. Whoever walks over nodes reads the types of their fields: these hold nodes of any class.
    Core = Local = object


@dataclass(frozen=True, slots=True)
class LetLazy:
    """A name for a value that is evaluated when it is first used in `body`, by a `Force`; anew for each evaluation."""

    name: str
    value: "Core"
    body: "Core"
    of: Representation


class Lifetime(StrEnum):
    """How long an answer is right: as long as the map is, or as the position is."""

    MAP = "map"
    POSITION = "position"


@dataclass(frozen=True, slots=True)
class Memo:
    """The value of `body`, kept for the values of `keys`, which are all that it depends on beside the position.

    Whoever changes the position advances the epoch of the module, which ends answers of `Lifetime.POSITION`.
    """

    keys: "tuple[Local, ...]"
    body: "Core"
    lifetime: Lifetime
    of: Representation
