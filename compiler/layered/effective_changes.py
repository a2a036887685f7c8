"""The effective change of a cell, a printed factor or a number of a card, where several layers change it.

A layer that stands on all others that changed it has the last word, and expects what it finds. Unrelated layers
clash, unless a joint layer above them decides: it expects what one of them put there.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from compiler.layered.problems import PatchedTwice
from compiler.source.span import Span


@dataclass(frozen=True, slots=True)
class Change:
    """A layer puts `now` somewhere."""

    layer: str
    span: Span
    now: str


class EffectiveChanges:
    """The changes in effect, by what they change; `reach` has for each layer those that it stands on."""

    def __init__(self, reach: Mapping[str, frozenset[str]]) -> None:
        """Begin with nothing changed."""
        self.reach = reach
        self._last: dict[Hashable, tuple[Change, ...]] = {}
        self._clashes: dict[Hashable, list[PatchedTwice]] = {}

    def add_change(self, key: Hashable, what: str, change: Change) -> tuple[str, ...] | None:
        """Note a change and list what layers below it put there; None if it clashes with another."""
        earlier = self._last.get(key, ())
        beside = [each for each in earlier if each.layer == change.layer or each.layer not in self.reach[change.layer]]
        if beside:
            self._last[key] = (*earlier, change)
            alone = beside[0].layer == change.layer
            self._clashes.setdefault(key, []).append(PatchedTwice(change.span, beside[0].span, what, alone=alone))
            return None
        self._last[key] = (change,)
        self._clashes[key] = [clash for clash in self._clashes.get(key, ()) if clash.alone]
        return tuple(each.now for each in earlier)

    def undecided_changes(self) -> list[PatchedTwice]:
        """List the changes between which no layer decides."""
        return [clash for found in self._clashes.values() for clash in found]
