"""Hostile files, opened by every command that reads files, in a process with little time and memory.

Nothing that a stranger sends may end in a bug of ours, command the terminal, or go on without end.
"""

import re
import sys
from pathlib import Path

import pytest

from tests.safety import (
    hostile,
    hostile_forms,
    hostile_games,
    hostile_inputs,
    hostile_more,
    hostile_sizes,
    hostile_steps,
    hostile_texts,
)
from tests.safety.confine import confined_all
from tests.safety.hostile import Case
from tests.sample import LONG, first_of_each

# What a terminal would obey, or show in another order.
COMMANDS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]")
LONGEST = 60_000
# Cases of a kind in every run.
FEW = 4
CASES = (
    *hostile.CASES,
    *hostile_sizes.cases(),
    *hostile_games.cases(),
    *hostile_steps.cases(),
    *hostile_inputs.cases(),
    *hostile_more.cases(),
    *hostile_texts.cases(),
    *hostile_forms.cases(),
)

KINDS = {kind: [case for case in CASES if case.kind == kind] for kind in dict.fromkeys(each.kind for each in CASES)}

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits, devices and sockets are those of Linux")


@pytest.mark.parametrize("kind", first_of_each(KINDS, lambda kind: kind.split()[0]))
def test_a_stranger_s_file_is_bounded(kind: str, tmp_path: Path) -> None:
    assert not (wrong := _wrong(KINDS[kind][:FEW], tmp_path)), "\n".join(wrong)


@LONG
@pytest.mark.parametrize("kind", [kind for kind, cases in KINDS.items() if len(cases) > FEW])
def test_the_other_files_of_a_stranger_are_bounded(kind: str, tmp_path: Path) -> None:
    assert not (wrong := _wrong(KINDS[kind][FEW:], tmp_path)), "\n".join(wrong)


def test_the_corpus_is_large_and_every_case_has_a_name_of_its_own() -> None:
    assert len({case.name for case in CASES}) == len(CASES) >= 100


def _wrong(cases: list[Case], place: Path) -> list[str]:
    """Return what is wrong with the output of each case."""
    return [f"{case.name}: {why}" for case, why in _judged(cases, place) if why]


def _judged(cases: list[Case], place: Path) -> list[tuple[Case, str]]:
    """Run cases one after the other in one process, a new one after each that had to be stopped."""
    return [(case, _why(case, result)) for case, result in zip(cases, confined_all(cases, place), strict=True)]


def _why(case: Case, result: tuple[int, str, str] | None) -> str:
    """Return what is wrong with the output of a command; "" if nothing is."""
    if result is None:
        return "was stopped: out of time or memory"
    code, out, err = result
    text = out + err
    if code not in (0, 1, 2):
        return f"ended with {code}: {text[:300]}"
    if found := COMMANDS.search(text):
        return f"lets {found.group()!r} through"
    if len(text) > LONGEST:
        return f"says {len(text)} signs"
    return "" if any(each in text for each in case.says.split("|")) else f"does not say {case.says}: {text[:300]}"
