"""The lines of a trial, made of a game as it stands."""

from collections.abc import Mapping

from runtime.play.choices import Decision
from runtime.play.course import Course
from runtime.play.game import FinishedGame, Game
from runtime.play.labels import label
from runtime.trial.nodes import VERSION, Choice, Heading, Result


def heading(game: Game, names: Mapping[str, str], seed: str) -> Heading:
    """Return what is played."""
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


def result(course: Course, end: FinishedGame, thrown: int) -> Result:
    """Write the end down."""
    dice = tuple(die.value for die in course.dice[thrown:])
    return Result(end.winner, end.level, end.turn, end.choices, dice, course.digest())
