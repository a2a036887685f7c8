"""Load every witness of a comparison again, and check its answers against those that are reported.

In: what `diff --format json` gives, and the two stacks. Out: sentences about witnesses that cannot be loaded, or do
not give the answers claimed. A play is loaded and not carried out again. Positions that cannot be set up are marked as
such by the comparison itself (`remarks`).
"""

from collections.abc import Iterator
from typing import Any

from rulewright.contrast.read_back import make_reader
from rulewright.library.stacks import Stack

# A question that every position answers: whether the file can be read at all.
ANYTHING = "1 = 1"
STAGE = ", at the stage "


def faults(data: dict[str, Any], stacks: tuple[Stack, Stack]) -> tuple[str, ...]:
    """List what is wrong with the witnesses."""
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
    played = [*found["rules"], found["order"], *(each["play"] for each in found["procedures"])]
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
