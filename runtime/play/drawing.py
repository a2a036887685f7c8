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
from runtime.play.recall import UNKNOWN
from runtime.state.record import Value


def draw(choices: Choices, course: Course, call: Call, step: Instruction, chance: Stream) -> tuple[Option | None, bool]:
    """Draw an option, None if there is none; also say whether there is another, which makes it a decision."""
    members, legal, option, sure = candidates(choices, course, call, step)
    left = list(members)
    for member in shuffled(left, chance):
        if member == sure or legal(member):
            if sure is not UNKNOWN and member != sure:
                return option(member), True
            # Whether an offer may end is known soonest.
            ends = isinstance(step, graph.Offer) and END_OFFER in left and legal(END_OFFER)
            return option(member), ends or any(map(legal, left))
    return None, False


def drawn(choices: Choices, course: Course, options: Sequence[Option], chance: Stream) -> int:
    """Draw one of the options that were listed where a course stands."""
    call = course.calls[-1]
    step = choices.programs[call.key].code[call.at]
    places = {option: number for number, option in enumerate(options)}
    members, _, option, _ = candidates(choices, course, call, step)
    return next(places[one] for member in shuffled(list(members), chance) if (one := option(member)) in places)


def candidates(choices: Choices, course: Course, call: Call, step: Instruction) -> Candidates:
    """Say what might be an option; of what is filtered, the filter is asked of as many as are tried."""
    if isinstance(step, graph.Offer):
        return choices.offered(course, call, step, choices.side(course, call, step.by))
    assert isinstance(step, graph.Choose)
    recall, state, names = choices.evaluator, course.state, call.names
    match step.source:
        case graph.Fold("gather", var, source, where, None) if where is not None and not step.how:
            everybody = tuple(recall.evaluate(state, source, names))
            members, legal, option, sure = choices.among(course, call, step, everybody)
            among = recall.of(step.source).at_hand(state, names)
            if among is not UNKNOWN:
                return Candidates(members, lambda member: member in among and legal(member), option, sure)
            passes, bound = recall.evaluator.asking(where), dict(names)

            def may(member: Value) -> bool:
                bound[var] = member
                return passes(state, bound) and legal(member)

            return Candidates(members, may, option, sure)
        case _:
            found = choices.shown(course, call, step, recall.evaluate(state, step.source, names))
            return choices.among(course, call, step, found)


def shuffled(left: list[Value], chance: Stream) -> Iterator[Value]:
    """Take members out of a list in random order, no more than are asked for (Durstenfeld, "Algorithm 235", 1964)."""
    while left:
        number = chance.draw(len(left))
        left[number], left[-1] = left[-1], left[number]
        yield left.pop()
