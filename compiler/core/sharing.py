"""Nodes that share a value between its uses; lowering makes none of them, passes do."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from compiler.core.representation import Representation

if TYPE_CHECKING:
    from compiler.core.ir import Core, Local
else:
    # `ir` imports this module. Walks over nodes read the types of their fields: these hold nodes of any class.
    Core = Local = object


@dataclass(frozen=True, slots=True)
class LetLazy:
    """A name for a value that is evaluated when it is first used in `body`, by a `Force`; anew for each evaluation."""

    name: str
    value: "Core"
    body: "Core"
    of: Representation


class ReadScope(StrEnum):
    """The scope in which a function reads a field: anywhere, an argument, or the hex of one and what stands in it."""

    ANY = "anywhere"
    PIECE = "of"
    HEX = "in"
    HEX_OF = "in the hex of"


class Read(NamedTuple):
    """A field of the position that an answer rests on, and where it is read."""

    field: str
    where: ReadScope
    parameter: str


Footprint = frozenset[Read]


@dataclass(frozen=True, slots=True)
class Memo:
    """The value of `body`, kept for the values of `keys`, which are all that it depends on beside the `footprint`."""

    keys: "tuple[Local, ...]"
    body: "Core"
    footprint: Footprint
    of: Representation
