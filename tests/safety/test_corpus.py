"""Every case of the hostile corpus runs within limits on time and memory.

No case may end in a traceback, print control sequences, print too much, run endlessly, or lack its required output.
None may print the system's list of users, write through a link out of its package, or execute code of the package.
"""

import os
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
from tests.sample import LONG, first_of_each, sampled

# Characters that control a terminal or reorder or hide text.
COMMANDS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]")
LONGEST = 60_000
# The start of /etc/passwd, and the file that code in hostile files would create.
USERS, CALLED = "root:x:", "called"
# Cases of each kind in every run.
FEW = 2
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


@sampled(1)
@pytest.mark.parametrize("kind", first_of_each(KINDS, lambda kind: kind.split()[0]))
def test_the_first_cases_of_a_kind_are_bounded(kind: str, tmp_path: Path) -> None:
    assert not (wrong := _wrong(KINDS[kind][:FEW], tmp_path)), "\n".join(wrong)


@LONG
@pytest.mark.parametrize("kind", [kind for kind, cases in KINDS.items() if len(cases) > FEW])
def test_the_other_cases_of_a_kind_are_bounded(kind: str, tmp_path: Path) -> None:
    assert not (wrong := _wrong(KINDS[kind][FEW:], tmp_path)), "\n".join(wrong)


def test_the_corpus_is_large_and_names_are_unique() -> None:
    assert len({case.name for case in CASES}) == len(CASES) >= 100


def test_files_that_no_case_may_create_are_found(tmp_path: Path) -> None:
    files = [tmp_path / "0" / "toy" / CALLED, tmp_path / "1" / "outside.txt"]
    for file in files:
        file.parent.mkdir(parents=True)
        file.touch()
    assert _forbidden_files(tmp_path) == files


def _wrong(cases: list[Case], place: Path) -> list[str]:
    """Return a line for each case with a wrong result, and for each file that no case may create."""
    wrong = [f"{case.name}: {why}" for case, why in _judged(cases, place) if why]
    return [*wrong, *(f"{file} was created" for file in _forbidden_files(place))]


def _forbidden_files(place: Path) -> list[Path]:
    """List files that executed code of a package (`called`) or a link out of it (`outside`) would create."""
    called = [Path(folder, CALLED) for folder, _, names in os.walk(place) if CALLED in names]
    return [*called, *(file for file in (Path(CALLED), *place.glob("*/outside*")) if file.exists())]


def _judged(cases: list[Case], place: Path) -> list[tuple[Case, str]]:
    """Run cases in sequence in one process, with a new process after each that was stopped."""
    return [(case, _why(case, result)) for case, result in zip(cases, confined_all(cases, place), strict=True)]


def _why(case: Case, result: tuple[int, str, str] | None) -> str:
    """Return the reason why the result of a case is wrong, or ""."""
    if result is None:
        return "was stopped: out of time or memory"
    code, out, err = result
    text = out + err
    if code not in (0, 1, 2):
        return f"ended with {code}: {text[:300]}"
    if found := COMMANDS.search(text):
        return f"lets {found.group()!r} through"
    if USERS in text:
        return f"prints {USERS}"
    if len(text) > LONGEST:
        return f"says {len(text)} signs"
    return "" if any(each in text for each in case.says.split("|")) else f"does not say {case.says}: {text[:300]}"
