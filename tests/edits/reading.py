"""Load every witness of a comparison, and compare its answers with the reported ones.

In: the data of `diff --format json`, and the two stacks. Out: messages about witnesses that cannot be loaded or have
other answers. A play is loaded and not repeated. The comparison itself marks positions that cannot be set up.
"""

from collections.abc import Iterator
from typing import Any

from rulewright.checks.read_back import make_reader
from rulewright.library.stacks import Stack

# A question that has an answer in every position that can be loaded.
ANYTHING = "1 = 1"
STAGE = ", at the stage "


def faults(data: dict[str, Any], stacks: tuple[Stack, Stack]) -> tuple[str, ...]:
    """Return a message for each faulty witness."""
    return tuple(dict.fromkeys((*_of_questions(data, stacks), *_of_plays(data, stacks))))


def _of_questions(data: dict[str, Any], stacks: tuple[Stack, Stack]) -> Iterator[str]:
    read = make_reader(stacks)
    assert read is not None
    for group in (group for term in data["terms"] for group in term["groups"]):
        if group["missing_words"] or STAGE in group["question"]:
            continue
        for which, side in enumerate("ab"):
            second_answer = read(which, group["position"], group["question"])
            if second_answer != group[side]:
                read_back = f"claimed {group[side]} under {side}, read back {second_answer}"
                yield f"{group['question']}: {read_back}: {group['position']}"


def _of_plays(data: dict[str, Any], stacks: tuple[Stack, Stack]) -> Iterator[str]:
    read = make_reader(stacks)
    assert read is not None
    found = data["behavior"]
    questions = [(each, True) for each in found["example_questions"]]
    played = [*found["rules"], *(each["play"] for each in found["procedures"])]
    for play, is_question in (*questions, *((each, False) for each in played if each)):
        if not play["position"]:
            if not play["example"]:
                yield f"{play['act']}: neither a position nor an example"
            continue
        whichs = [at for at in (0, 1) if read(at, play["position"], ANYTHING) is not None]
        if len(whichs) < (1 if play["missing_words"] else 2):
            yield f"{play['act']}: cannot be read: {play['position']}"
        elif is_question and not play["missing_words"]:
            answers = [read(at, play["position"], play["act"]) for at in (0, 1)]
            if answers != [play["a"], play["b"]]:
                claimed = f"{play['a']} / {play['b']}"
                yield f"{play['act']}: claimed {claimed}, read back {answers}: {play['position']}"
