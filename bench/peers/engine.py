"""An engine that answers the workload: what it is called, and its ways of answering."""

from collections.abc import Callable
from dataclasses import dataclass

Case = tuple[int, int, str, str, str]
Answer = Callable[[int, int, str, str, str], str]
Batch = Callable[[list[Case]], list[str]]

FIELDS = ("odds", "die", "ground", "troop", "manner")


@dataclass(frozen=True, slots=True)
class Engine:
    """One engine, loaded. `share`: it is slow, and asked one question in so many."""

    name: str
    answer: Answer | None = None
    explained: Answer | None = None
    batch: Batch | None = None
    share: int = 1
