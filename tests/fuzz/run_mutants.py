"""Run the mutants of one target. Mutant n depends only on target, seed and n."""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tests.fuzz.findings import SLOWEST, Failure, run_mutant
from tests.fuzz.packages import STACKS, Corpus, is_frame, is_rules, is_table, open_corpus, spoil
from tests.fuzz.situations import open_asking, spoil_position, spoil_question, spoil_trial

WARM = 8

Spoil = Callable[[random.Random], tuple[str, Callable[[], str]]]
Make = Callable[[Corpus, Sequence[str]], Spoil]


def _package(is_matching: Callable[[str], bool]) -> Make:
    return lambda corpus, stacks: lambda dice: spoil(corpus, is_matching, dice, stacks)


def _position(corpus: Corpus, _stacks: Sequence[str]) -> Spoil:
    asking = open_asking(corpus)
    return lambda dice: spoil_position(asking, corpus.words, dice)


def _ask(corpus: Corpus, _stacks: Sequence[str]) -> Spoil:
    asking = open_asking(corpus)
    return lambda dice: spoil_question(asking, corpus.words, dice)


TARGETS: dict[str, Make] = {
    "rules": _package(is_rules),
    "tables": _package(is_table),
    "frames": _package(is_frame),
    "position": _position,
    "ask": _ask,
    "trial": lambda corpus, _: lambda dice: spoil_trial(corpus, dice),
}


@dataclass(frozen=True, slots=True)
class Range:
    """The mutants to run: `count` of a seed, or only the one with a number; of packages of these stacks.

    `patience` is the processor time in seconds that a mutant may take in addition to that of the slowest warm-up.
    """

    count: int
    seed: int = 0
    only: int | None = None
    stacks: Sequence[str] = STACKS
    patience: float = SLOWEST


def _seconds(run: Callable[[], object]) -> float:
    started = time.process_time()
    with suppress(Exception):
        run()
    return time.process_time() - started


def run_mutants(target: str, which: Range, place: Path) -> Iterator[Failure]:
    """Run mutants, and yield the failures; a mutant that runs alone is always yielded."""
    make = TARGETS[target](open_corpus(place), which.stacks)
    # The warm-up loads grammars and schemas, and measures how long a package takes.
    warm = range(min(WARM, which.count))
    usual = max(_seconds(make(random.Random(f"warm {number}"))[1]) for number in warm)
    for number in range(which.count) if which.only is None else (which.only,):
        # Garbage collection and other processes take time too: a slow mutant is run again.
        chance = f"{target} {which.seed} {number}"
        mutant, run = make(random.Random(chance))
        failure = run_mutant(number, mutant, run, which.patience + usual)
        if failure is not None and failure.slow:
            failure = run_mutant(number, *make(random.Random(chance)), which.patience + usual)
        if failure is not None:
            yield failure
        elif which.only is not None:
            yield Failure(number, "nothing wrong", mutant)
