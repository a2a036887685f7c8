"""Nodes that share a value between its uses, created by passes only."""

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from compiler.core.representation import Representation
from runtime.graph.frozen_dataclass import frozen_dataclass

if TYPE_CHECKING:
    from compiler.core.ir import Core, Local
else:
    # `ir` imports this module, so that fields with nodes of any class have a generic type.
    Core = Local = object


@frozen_dataclass
class LetLazy:
    """A name for a value that is evaluated at its first use in `body`, by a `Force`; once per evaluation of it."""

    name: str
    value: "Core"
    body: "Core"
    representation: Representation


class ReadScope(StrEnum):
    """The scope in which a function reads a field: anywhere, an argument, or the hex of one and what stands in it."""

    ANY = "anywhere"
    PIECE = "of"
    HEX = "in"
    HEX_OF = "in the hex of"


class Read(NamedTuple):
    """A field of the position that an answer depends on, and the scope of the read."""

    field: str
    scope: ReadScope
    parameter: str


Footprint = frozenset[Read]


class RecordKey(NamedTuple):
    """A field of a record that is an argument; without a `representation` only whether it is present."""

    parameter: str
    place: int
    representation: Representation | None


@frozen_dataclass
class Memo:
    """The value of `body`, memoized by `keys` and `fields`, which are all that it depends on besides `footprint`."""

    keys: "tuple[Local, ...]"
    fields: tuple[RecordKey, ...]
    body: "Core"
    footprint: Footprint
    representation: Representation
