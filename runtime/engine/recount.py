"""Play a game of a module again in it, and read what it recorded of the use of rules.

In: a `NativeGame` whose module counts, and which has played a game to its end with a log. Out: bits of rules, numbers
of calls, and offers. The game is played by its log, so that what players weighed before they chose is not recorded:
only what decisions offer, and what is executed.
"""

import struct
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from runtime.engine.game import MOST_TAKEN, NativeGame
from runtime.graph.count_layout import CountLayout

OFFER_ROW = struct.Struct("<iiqqq")


class _OfferCount(NamedTuple):
    """An offer that was reached: its actions, the phase and the side, whether each action was open, and what was taken.

    `taken_index` is the index of the action, None where the offer was ended. `times` is how often it was
    reached like this.
    """

    actions: tuple[str, ...]
    phase: str
    side: str
    open: tuple[bool, ...]
    taken_index: int | None
    times: int


class CountReader:
    """The replays of the games of one module."""

    def __init__(self, native: NativeGame) -> None:
        """Reserve memory for the rows of offers."""
        counts = native.module.layout.counts
        assert counts is not None
        self.native = native
        self.counts: CountLayout = counts
        self.offers_at = native.reserve(OFFER_ROW.size * MOST_TAKEN)
        native.assign(offers_top=self.offers_at + OFFER_ROW.size * (MOST_TAKEN - 1))

    def replay(self, seed: str) -> None:
        """Play the logged game again; raises `TrapError` where an option cannot be evaluated, or is not in the log."""
        native, layout, counts = self.native, self.native.module.layout, self.counts
        log_end = native.variable("log_end")
        native.start(seed)
        native.assign(replay_end=log_end, offers_end=self.offers_at)
        native.write_bytes(counts.bits_at, bytes(8 * counts.words))
        native.write_bytes(counts.calls_at, bytes(4 * (len(counts.procedures) + len(counts.steps))))
        if counts.faces_at:
            native.write_bytes(counts.faces_at, bytes(layout.pieces * layout.enum_capacity))
        native.call_function("recount")

    def bits(self) -> int:
        """Return the recorded bits, the first one lowest."""
        address = self.counts.bits_at
        return int.from_bytes(self.native.view[address : address + 8 * self.counts.words], "little")

    def calls(self) -> tuple[int, ...]:
        """Return how often each procedure was called, and each counted step of the sequence reached."""
        number = len(self.counts.procedures) + len(self.counts.steps)
        return struct.unpack_from(f"<{number}i", self.native.view, self.counts.calls_at)

    def offers(self) -> Iterator[_OfferCount]:
        """Yield the offers that were reached and may have watched actions."""
        layout, phases = self.native.module.layout, self.counts.phases
        data = self.native.view[self.offers_at : self.native.variable("offers_end")]
        for (number, phase, is_open, value, side), times in Counter(OFFER_ROW.iter_unpack(data)).items():
            actions = layout.sites[number].actions
            flags = tuple([bool(is_open >> index & 1) for index in range(len(actions))])
            name = phases[number] if number in phases else layout.enum_members[phase]
            yield _OfferCount(actions, name, layout.enum_members[side], flags, value if value >= 0 else None, times)

    def shown_counters(self) -> Iterator[tuple[int, str]]:
        """Yield each piece with each counter that it showed at a decision or at the end."""
        layout, address = self.native.module.layout, self.counts.faces_at
        members, size = layout.enum_members, layout.enum_capacity
        for piece in range(self.native.variable("pieces")):
            row = bytes(self.native.view[address + piece * size : address + (piece + 1) * size])
            place = row.find(1)
            while place >= 0:
                yield piece, members[place]
                place = row.find(1, place + 1)
