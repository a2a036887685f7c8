"""The log of a game for the page: one entry for each choice with effects.

In: a playthrough. Out: entries. The account of a procedure is in the entry of the choice that started it, even if
other sides had decisions meanwhile. Entries are cached as long as they report the same events.
"""

from bisect import bisect_right
from dataclasses import dataclass, field

from rulewright.explain.journal_text import ReportedEvent, event_lines, reported_events
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.play.playthrough import Playthrough


@frozen_dataclass
class LogEntry:
    """The events of one choice: the number of choices before it, its side, its time, and sentences."""

    choice_count: int
    side: str
    turn: int
    lines: tuple[str, ...]


@dataclass(slots=True)
class GameLog:
    """The cached entries, with the indices of the events that each reports."""

    cached_entries: list[tuple[tuple[int, ...], LogEntry]] = field(default_factory=list)

    def entries(self, playthrough: Playthrough, reader: str, *, secret: bool) -> list[LogEntry]:
        """Return the log by choice, as far as a side may know it; `secret` if the knowledge of sides differs."""
        marks = playthrough.checkpoints
        begins = [mark.events for mark in marks]
        events_by_choice: list[list[ReportedEvent]] = [[] for _ in marks]
        for each in reported_events(playthrough.journal, reader):
            if (index := bisect_right(begins, each.place) - 1) >= 0:
                events_by_choice[index].append(each)
        cached_entries = [] if secret else self.cached_entries
        found = []
        for index, events in enumerate(events_by_choice):
            numbers = tuple(event.number for event in events)
            # The last entry may be extended by dice and events.
            if index < len(cached_entries) and index < len(marks) - 1 and cached_entries[index][0] == numbers:
                found.append(cached_entries[index])
                continue
            mark, after = marks[index], marks[index + 1] if index + 1 < len(marks) else None
            happened = playthrough.journal[mark.events : after.events if after else None]
            thrown = after.dice if after else len(playthrough.dice)
            lines = event_lines(playthrough, happened, [event.event for event in events], mark.dice, thrown)
            found.append((numbers, LogEntry(index, mark.phase.player, mark.phase.turn, tuple(lines))))
        if not secret:
            self.cached_entries = found
        return [entry for _, entry in found]

    def undo_to(self, choice_count: int) -> None:
        """Remove the entries of undone choices, and of the last one before, which may report on them."""
        del self.cached_entries[max(0, choice_count - 1) :]
