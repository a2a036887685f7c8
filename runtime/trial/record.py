"""Write a game down while it is played.

In: a game, its course, its players, and a place for lines. Out: the lines of its trial. A choice is written,
and the writer has returned, before the game goes on: what happened can always be shown, even if
the process ends in the middle.
"""

from collections.abc import Callable, Mapping

from runtime.play.choices import Decision
from runtime.play.course import Course
from runtime.play.game import Finished, Game
from runtime.play.labels import label
from runtime.players.player import Player, answer, seat
from runtime.trial.lines import to_line
from runtime.trial.nodes import VERSION, Choice, Heading, Result

Write = Callable[[str], None]


def record(
    game: Game, course: Course, players: Mapping[str, Player], names: Mapping[str, str], seed: str, write: Write
) -> Finished:
    """Play a game that was just started from this seed, and write it down."""
    write(to_line(heading(game, names, seed)))
    seats = seat(players, seed)
    thrown = 0
    while isinstance(now := game.advance(course), Decision):
        index = answer(game, course, now, seats)
        write(to_line(choice(game, course, now, index, thrown)))
        thrown = len(course.dice)
        game.apply(course, now, index)
    write(to_line(result(course, now, thrown)))
    return now


def heading(game: Game, names: Mapping[str, str], seed: str) -> Heading:
    """Say what is played."""
    card = game.graph.scenario
    return Heading(VERSION, game.graph.stack, game.graph.hash, card.name if card else "", seed, dict(names))


def choice(game: Game, course: Course, decision: Decision, index: int, thrown: int) -> Choice:
    """Write a choice down; `thrown` counts the dice that are already written."""
    return Choice(
        step=course.choices,
        turn=course.state.turn,
        side=decision.side,
        question=decision.question,
        options=len(decision.options),
        choice=index,
        label=label(course.state, game.programs.of, decision, decision.options[index]),
        dice=tuple(die.value for die in course.dice[thrown:]),
        state=course.digest(),
    )


def result(course: Course, end: Finished, thrown: int) -> Result:
    """Write the end down."""
    dice = tuple(die.value for die in course.dice[thrown:])
    return Result(end.winner, end.level, end.turn, end.choices, dice, course.digest())
