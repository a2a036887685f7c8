"""What a benchmark finds: one number of ours beside one of a peer, taken in the same run."""

import gc
import os
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

ROUNDS = 5
AT_MOST, AT_LEAST = "at most", "at least"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line. `ratio` is ours over the peer's, or the peer's over ours where it says how many times faster.

    `unit` says what ours and the peer's are; a peer that is absent, and a number that stands alone, are None.
    `bound` says whether the target is a most or a least.
    """

    section: str
    name: str
    unit: str
    own_value: float | None
    peer: float | None = None
    ratio: float | None = None
    target: float | None = None
    bound: str = AT_MOST
    note: str = ""

    @property
    def is_met(self) -> bool | None:
        """Return whether the target is met; None without a target or a measurement to compare."""
        if self.target is None or self.ratio is None:
            return None
        return self.ratio <= self.target if self.bound == AT_MOST else self.ratio >= self.target

    def data(self) -> dict[str, Any]:
        """Write it for JSON."""
        return {
            "section": self.section, "name": self.name, "unit": self.unit, "ours": self.own_value, "peer": self.peer,
            "ratio": self.ratio, "target": self.target, "bound": self.bound, "met": self.is_met, "note": self.note,
        }  # fmt: skip

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> "Finding":
        """Read what `data` returned."""
        fields = {name: value for name, value in data.items() if name not in ("ours", "met")}
        return cls(own_value=data["ours"], **fields)


INTERPRETER = "interpreter"


def interpreter() -> Finding:
    """Say what runs all this: builds of one Python differ by half."""
    text = f"{platform.python_implementation()} {platform.python_version()}, {platform.python_compiler()}"
    return Finding(INTERPRETER, f"{text}, {platform.machine()}, {os.cpu_count()} cores", "", None)


def best(*runs: Callable[[], Any], rounds: int = ROUNDS) -> list[float]:
    """Seconds of CPU each of these takes, the best of several rounds in which they take turns."""
    return in_turns(*(partial(once, run) for run in runs), rounds=rounds)


def in_turns(*timers: Callable[[], float], rounds: int = ROUNDS) -> list[float]:
    """Return the least that each of these gives in several rounds in which they take turns."""
    found = [float("inf")] * len(timers)
    for _ in range(rounds):
        for number, timer in enumerate(timers):
            found[number] = min(found[number], timer())
    return found


def once(run: Callable[[], Any]) -> float:
    """Seconds of CPU of one run, with no collection of garbage in it."""
    gc.collect()
    gc.disable()
    try:
        began = time.process_time()
        run()
        return time.process_time() - began
    finally:
        gc.enable()


def each(answer: Callable[..., Any], cases: list[tuple[Any, ...]]) -> Callable[[], None]:
    """Ask every case in turn."""

    def run() -> None:
        for case in cases:
            answer(*case)

    return run
