"""Play a trial again and hold every line against what was written.

In: a game and a trial. Out: the first line that came out otherwise, or None. Under the graph that
was recorded there is none, whatever the machine; under another graph it is where the rules part.
"""

from dataclasses import dataclass

from runtime.play.choices import Decision
from runtime.play.course import Course
from runtime.play.game import Finished, Game
from runtime.play.labels import labels
from runtime.trial.nodes import Choice, Trial
from runtime.trial.record import choice, result


@dataclass(frozen=True, slots=True)
class Parting:
    """Where a game parts from its trial: the step, what differs, what was written and what came instead."""

    step: int
    turn: int
    side: str
    question: str
    what: str
    written: str
    instead: str


def replay(game: Game, trial: Trial) -> Parting | None:
    """Find the first line that differs."""
    course = game.start(trial.heading.seed)
    thrown = 0
    for line in trial.choices:
        now = game.advance(course)
        found = parting(game, course, now, line, thrown)
        if found is not None or not isinstance(now, Decision):
            return found
        thrown = len(course.dice)
        game.apply(course, now, line.choice)
    return at_the_end(game, course, trial, thrown)


def parting(game: Game, course: Course, now: Decision | Finished, line: Choice, thrown: int) -> Parting | None:
    """Compare one line with what is asked now."""
    if not isinstance(now, Decision):
        return Parting(line.step, line.turn, line.side, line.question, "end", line.label, "the game is over")
    known = labels(course.state, game.programs.of, now)
    index = known.index(line.label) if line.label in known else -1
    again = choice(game, course, now, max(index, 0), thrown)
    pairs = [
        ("dice", list(line.dice), list(again.dice)),
        ("side", line.side, again.side),
        ("question", line.question, again.question),
        ("choice", line.label, again.label if index >= 0 else f"not among {', '.join(known)}"),
        ("options", line.options, again.options),
        ("place of the choice", line.choice, again.choice),
        ("state", line.state, again.state),
    ]
    for what, written, instead in pairs:
        if written != instead:
            return Parting(line.step, line.turn, line.side, line.question, what, str(written), str(instead))
    return None


def at_the_end(game: Game, course: Course, trial: Trial, thrown: int) -> Parting | None:
    """Compare the result."""
    if trial.result is None:
        return None
    now = game.advance(course)
    step, turn = course.choices, course.state.turn
    if isinstance(now, Decision):
        return Parting(step, turn, now.side, now.question, "end", "the game is over", now.question)
    again = result(course, now, thrown)
    if again == trial.result:
        return None
    return Parting(step, turn, "", "", "result", str(trial.result), str(again))
