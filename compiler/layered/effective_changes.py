"""Compute the effective change of a cell, a printed factor or a number of a card that several layers change.

A layer that is based on all others that changed it decides, and expects what it finds. Unrelated layers conflict,
unless a joint layer above them decides: it expects the value of one of them.
"""

from collections.abc import Hashable, Mapping

from compiler.layered.findings.patches import PatchedTwice
from compiler.source.span import Span
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class LayerChange:
    """A change by a layer, which sets a value to `value`."""

    layer: str
    span: Span
    value: str


class EffectiveChanges:
    """The effective changes by their target; `reach` maps each layer to those that it is based on."""

    def __init__(self, reach: Mapping[str, frozenset[str]]) -> None:
        """Start without changes."""
        self.reach = reach
        self._last: dict[Hashable, tuple[LayerChange, ...]] = {}
        self._clashes: dict[Hashable, list[PatchedTwice]] = {}

    def add_change(self, key: Hashable, name: str, change: LayerChange) -> tuple[str, ...] | None:
        """Record a change and return the values set by layers below it.

        None if it conflicts with another change, or if an unrelated layer has set the same value already.
        """
        earlier = self._last.get(key, ())
        conflicting_changes = [
            each for each in earlier if each.layer == change.layer or each.layer not in self.reach[change.layer]
        ]
        if conflicting_changes and all(
            each.value == change.value and each.layer != change.layer for each in conflicting_changes
        ):
            self._last[key] = (*earlier, change)
            return None
        if conflicting_changes:
            self._last[key] = (*earlier, change)
            is_same_layer = conflicting_changes[0].layer == change.layer
            self._clashes.setdefault(key, []).append(
                PatchedTwice(change.span, conflicting_changes[0].span, name, is_same_layer=is_same_layer)
            )
            return None
        self._last[key] = (change,)
        self._clashes[key] = [conflict for conflict in self._clashes.get(key, ()) if conflict.is_same_layer]
        return tuple(each.value for each in earlier)

    def undecided_changes(self) -> list[PatchedTwice]:
        """Return the conflicting changes between which no layer decides."""
        return [conflict for found in self._clashes.values() for conflict in found]
