"""Resolve foreign units to counters of our stacks, by the mapping."""

from dataclasses import dataclass, field

from compiler.source.span import Span
from rulewright.adapters.open_panzer_blitz.package_mapping import PackageMapping
from rulewright.exchange.notes import Notes, TransferCount


@dataclass(slots=True)
class ForeignCounters:
    """The units that cards refer to, and whether a counter was found for them."""

    mapping: PackageMapping
    is_found: dict[str, bool] = field(default_factory=dict)

    def find(self, key: str, span: Span, stack_and_side: tuple[str, str], notes: Notes) -> str | None:
        """Return the counter of a unit for a stack and side; None, with a note, if there is none."""
        counter = self.mapping.find_counter(key, *stack_and_side)
        if counter is None:
            notes.add_omission(span, key, "the mapping has no counter for this unit")
        self.is_found[key] = self.is_found.get(key, False) or counter is not None
        return counter

    def transfer_count(self) -> TransferCount:
        """Count the units of cards and those with a counter."""
        return TransferCount("counter", "counters", len(self.is_found), sum(self.is_found.values()))
