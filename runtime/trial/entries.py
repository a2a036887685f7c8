"""The lines of a trial, made of a game as it stands."""

from collections.abc import Mapping

from runtime.play.choices import Decision
from runtime.play.game import FinishedGame, Game
from runtime.play.labels import option_label
from runtime.play.playthrough import Playthrough
from runtime.trial.nodes import VERSION, Choice, Heading, Result


def heading_entry(game: Game, names: Mapping[str, str], seed: str) -> Heading:
    """Return what is played."""
    card = game.graph.scenario
    return Heading(VERSION, game.graph.stack, game.graph.hash, card.name if card else "", seed, dict(names))


def choice_entry(game: Game, playthrough: Playthrough, decision: Decision, index: int, thrown: int) -> Choice:
    """Write a choice down; `thrown` counts the dice that are already written."""
    return Choice(
        step=playthrough.choices,
        turn=playthrough.state.turn,
        side=decision.side,
        question=decision.question,
        options=len(decision.options),
        choice=index,
        label=option_label(playthrough.state, game.programs.of, decision, decision.options[index]),
        dice=tuple(die.value for die in playthrough.dice[thrown:]),
        state=playthrough.digest(),
    )


def result_entry(playthrough: Playthrough, end: FinishedGame, thrown: int) -> Result:
    """Write the end down."""
    dice = tuple(die.value for die in playthrough.dice[thrown:])
    return Result(end.winner, end.level, end.turn, end.choices, dice, playthrough.digest())
