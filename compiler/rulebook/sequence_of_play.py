"""The sequence of play as a numbered list, in the style of rulebooks.

The input is the contents of a book and the steps of its sequence; the output is a tree of steps: phases and steps
between them are numbered, steps within them are lettered, and loops over sides or turns have no number. A phase lists
the cases that describe it, which layers declare.
"""

import itertools
from collections.abc import Iterator
from dataclasses import replace

from compiler.rulebook.contents import Contents
from compiler.rulebook.index.mentions import BookKey
from compiler.rulebook.steps import ProcedureLine, has_phase
from runtime.graph.frozen_dataclass import frozen_dataclass

STEP_LETTERS = tuple("abcdefghijklmnopqrstuvwxyz")
NUMBERS = tuple(map(str, range(1, 100)))
COUNTER_MARK = "–"  # the mark of what a step counts up
ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")


@frozen_dataclass
class TurnStep:
    """One step. `place` is its number among its siblings, 0 if it has none; `mark` is the printed form.

    `text` is empty if the step consists of the one procedure that it refers to.
    """

    place: int
    mark: str
    title: str  # of a phase
    text: str
    cites: tuple[str, ...]
    leads: tuple[BookKey, ...]
    cases: tuple[BookKey, ...]
    inside: "tuple[TurnStep, ...]"


def number_turn(contents: Contents, lines: tuple[ProcedureLine, ...]) -> tuple[TurnStep, ...]:
    """Number the steps of a sequence; numbers restart at 1 within a turn."""
    return tuple(_outline(contents, _without_calls(lines), itertools.count(1)))


def number_steps(contents: Contents, lines: tuple[ProcedureLine, ...]) -> tuple[TurnStep, ...]:
    """Number the steps of another procedure; those within them are lettered."""
    return _letter_steps(contents, lines, (NUMBERS, STEP_LETTERS, ROMAN))


def _outline(contents: Contents, lines: tuple[ProcedureLine, ...], count: Iterator[int]) -> Iterator[TurnStep]:
    """Number phases and their siblings; the count continues in a loop beside them, except for a loop over turns."""
    opening = [not line.title and has_phase(line.inside) for line in lines]
    for line, opens in zip(lines, opening, strict=True):
        if line.counted:
            yield _counted_step(line)
        elif not opens:
            place = next(count)
            sub_steps = _letter_steps(contents, line.inside, (STEP_LETTERS, ROMAN))
            yield replace(_step(contents, line), place=place, mark=f"{place}.", inside=sub_steps)
        else:
            numbers = itertools.count(1) if line.called == "turn" or all(opening) else count
            yield replace(_step(contents, line), inside=tuple(_outline(contents, line.inside, numbers)))


def _letter_steps(
    contents: Contents, lines: tuple[ProcedureLine, ...], marks: tuple[tuple[str, ...], ...]
) -> tuple[TurnStep, ...]:
    """Letter what is done within a step; what is alone needs no letter, and what is in it takes that in its place.

    What the step around them counts up has a dash.
    """
    step_lines = [line for line in lines if not line.counted]
    is_single = len(step_lines) == 1
    letters, below = marks[0], marks if is_single else (*marks[1:], marks[0])
    steps = [_counted_step(line) for line in lines if line.counted]
    for number, line in enumerate(step_lines, 1):
        mark = letters[number - 1] if number <= len(letters) else str(number)
        sub_steps = _letter_steps(contents, line.inside, below)
        step = replace(_step(contents, line), inside=sub_steps)
        steps.append(step if is_single else replace(step, place=number, mark=f"{mark}."))
    return tuple(steps)


def _counted_step(line: ProcedureLine) -> TurnStep:
    return TurnStep(0, COUNTER_MARK, "", line.text, (), (), (), tuple(map(_counted_step, line.inside)))


def _step(contents: Contents, line: ProcedureLine) -> TurnStep:
    leads = tuple(procedure_key for key in line.leads if (procedure_key := ("procedure", key)) in contents.titles)
    cases = cases_of(contents, line.called) if line.title else ()
    return TurnStep(0, "", line.title, line.text, line.cites, leads, cases, ())


def _without_calls(lines: tuple[ProcedureLine, ...]) -> tuple[ProcedureLine, ...]:
    """Return lines of which those that carry something out have no text: in a turn its title says all."""
    return tuple(
        replace(line, text="" if line.is_call else line.text, inside=_without_calls(line.inside)) for line in lines
    )


def cases_of(contents: Contents, phase: str) -> tuple[BookKey, ...]:
    """Return the cases and charts that describe a phase, in the order of the book."""
    declared = (
        case for layer in contents.book.layers for name, cases in layer.phases if name == phase for case in cases
    )
    printed = {(kind, label) for label in declared for kind in ("case", "chart")}
    return tuple(key for key in contents.titles if key in printed)


def nested_steps(step: TurnStep) -> Iterator[TurnStep]:
    """Traverse a step and all that is inside it."""
    yield step
    for each in step.inside:
        yield from nested_steps(each)
