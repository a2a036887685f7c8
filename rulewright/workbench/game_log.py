"""The log of a game for the page: one entry for each choice with effects.

Input: a playthrough. Output: entries. The account of a procedure is in the entry of the choice that started it, even if
other sides had decisions meanwhile. Entries are cached as long as they report the same events.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from rulewright.table.journal_text import ReportedEvent, event_lines, reported_events
from runtime.graph import words
from runtime.play.playthrough import Playthrough

# The plural forms of the beginnings of predicates.
PLURALS = {
    "is ": "are ", "has ": "have ", "goes ": "go ", "comes ": "come ", "leaves ": "leave ",
    "no longer counts as one that has ": "no longer count as those that have ",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class LogEntry:
    """The events of one choice: the number of choices before it, its side, its time, and sentences."""

    at: int
    side: str
    turn: int
    lines: tuple[str, ...]


@dataclass(slots=True)
class GameLog:
    """The cached entries, with the indices of the events that each reports."""

    kept: list[tuple[tuple[int, ...], LogEntry]] = field(default_factory=list)

    def entries(self, playthrough: Playthrough, reader: str, *, secret: bool) -> list[LogEntry]:
        """Return the log by choice, as far as a side may know it; `secret` if the knowledge of sides differs."""
        marks = playthrough.checkpoints
        begins = [mark.events for mark in marks]
        told: list[list[ReportedEvent]] = [[] for _ in marks]
        for each in reported_events(playthrough.journal, reader):
            if (at := bisect_right(begins, each.place) - 1) >= 0:
                told[at].append(each)
        kept = [] if secret else self.kept
        found = []
        for at, events in enumerate(told):
            numbers = tuple(each.number for each in events)
            # The last entry may be extended by dice and events.
            if at < len(kept) and at < len(marks) - 1 and kept[at][0] == numbers:
                found.append(kept[at])
                continue
            mark, after = marks[at], marks[at + 1] if at + 1 < len(marks) else None
            happened = playthrough.journal[mark.events : after.events if after else None]
            thrown = after.dice if after else len(playthrough.dice)
            lines = event_lines(playthrough, happened, [each.event for each in events], mark.dice, thrown)
            turn, _, rest = mark.phase_key.partition(".")
            found.append((numbers, LogEntry(at, rest.partition(".")[0], int(turn), tuple(lines))))
        if not secret:
            self.kept = found
        return [entry for _, entry in found]

    def forget_from(self, choices: int) -> None:
        """Remove the entries of undone choices, and of the last one before, which may report on them."""
        del self.kept[max(0, choices - 1) :]


def gather_lines(lines: Sequence[str], names: Sequence[str]) -> list[str]:
    """Merge consecutive lines that differ in the piece only: "rifle-1.1 and rifle-1.2 are no longer dispersed"."""
    found: list[tuple[list[str], str]] = []
    for line in lines:
        name = max((each for each in names if line.startswith(f"{each} ")), key=len, default="")
        rest = line.removeprefix(f"{name} ") if name else ""
        if rest and found and found[-1][1] == rest:
            found[-1][0].append(name)
        else:
            found.append(([name or line], rest))
    return [_said_of(whom, rest) for whom, rest in found]


def _said_of(whom: Sequence[str], rest: str) -> str:
    """Return a sentence about one piece or several."""
    if len(whom) == 1:
        return f"{whom[0]} {rest}".rstrip()
    one = next((each for each in PLURALS if rest.startswith(each)), "")
    if one:
        return f"{words.list_text(whom)} {PLURALS[one]}{rest.removeprefix(one)}"
    return f"{', '.join(whom)}: {rest}"
