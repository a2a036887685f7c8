"""Draw one option at random without listing the others.

In: a course standing at an offer or a choice, and chance. Out: an option, each with the same chance. Whatever might be
one is tried in random order; the first that is legal is as likely to be any of the legal ones as if all had been
listed (rejection sampling; von Neumann, "Various techniques used in connection with random digits", 1951).
Whoever has the list draws the same one of it.
"""

from collections.abc import Iterator, Sequence

from runtime.graph import nodes as graph
from runtime.play.choices import END_OFFER, Candidates, Choices, Option
from runtime.play.course import Call, Course
from runtime.play.dice import Stream
from runtime.play.instructions import Instruction


def draw(choices: Choices, course: Course, call: Call, step: Instruction, chance: Stream) -> tuple[Option | None, bool]:
    """Draw an option, None if there is none; also say whether there is another, which makes it a decision."""
    options, legal = candidates(choices, course, call, step)
    left = list(options)
    first = next(filter(legal, shuffled(left, chance)), None)
    # Whether an offer may end is known soonest.
    others = (END_OFFER in left and legal(END_OFFER)) or any(map(legal, left))
    return first, others


def drawn(choices: Choices, course: Course, options: Sequence[Option], chance: Stream) -> int:
    """Draw one of the options that were listed where a course stands."""
    call = course.calls[-1]
    step = choices.programs[call.key].code[call.at]
    places = {option: number for number, option in enumerate(options)}
    left = list(candidates(choices, course, call, step).options)
    return next(places[option] for option in shuffled(left, chance) if option in places)


def candidates(choices: Choices, course: Course, call: Call, step: Instruction) -> Candidates:
    """Say what might be an option; of what is filtered, the filter is asked of as many as are tried."""
    if isinstance(step, graph.Offer):
        return choices.offered(course, call, step, choices.side(course, call, step.by))
    assert isinstance(step, graph.Choose)
    recall, state = choices.evaluator, course.state
    match step.source:
        case graph.Fold("gather", var, source, where, None) if where is not None and not step.how:
            options, legal = choices.among(course, call, step, tuple(recall.evaluate(state, source, call.names)))
            if recall.knows(state, step.source, call.names):
                members = frozenset(recall.evaluate(state, step.source, call.names))
                return Candidates(options, lambda option: option.value in members and legal(option))
            passes = recall.evaluator.evaluate
            return Candidates(
                options,
                lambda option: passes(state, where, {**call.names, var: option.value}) and legal(option),
            )
        case _:
            found = choices.shown(course, call, step, recall.evaluate(state, step.source, call.names))
            return choices.among(course, call, step, found)


def shuffled(left: list[Option], chance: Stream) -> Iterator[Option]:
    """Take options out of a list in random order, no more than are asked for (Durstenfeld, "Algorithm 235", 1964)."""
    while left:
        number = chance.draw(len(left))
        left[number], left[-1] = left[-1], left[number]
        yield left.pop()
