"""Dataclasses that nobody changes, made as fast as those that somebody may.

Python holds a frozen class frozen by a detour for each field that is set, the first time too: making one takes three
times as long, and to compile every stack of the package takes 370,000. So it is the type checker alone that holds
nodes frozen; at run time they differ from frozen ones in nothing else.
"""

import dataclasses
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(*, frozen: bool, slots: bool) -> Any:
        """Make a class as `dataclasses.dataclass` does, equal and hashed by what it holds, but not held frozen."""
        assert frozen, "the others have dataclasses.dataclass"
        return dataclasses.dataclass(slots=slots, unsafe_hash=True)
