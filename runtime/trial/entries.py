"""Build the lines of a trial from the state of a game."""

from collections.abc import Mapping

from runtime.graph.digest import play_digest
from runtime.play.game import FinishedGame, Game
from runtime.play.labels import option_label
from runtime.play.options import Decision
from runtime.play.playthrough import Playthrough
from runtime.trial.nodes import TRIAL_VERSION, Choice, Heading, Result


def heading_entry(game: Game, names: Mapping[str, str], seed: str) -> Heading:
    """Return the heading of a game."""
    rules, card = game.graph, game.graph.scenario
    return Heading(TRIAL_VERSION, rules.stack, play_digest(rules), card.name if card else "", seed, dict(names))


def choice_entry(game: Game, playthrough: Playthrough, decision: Decision, index: int, thrown: int) -> Choice:
    """Build the line of a choice; `thrown` is the number of dice that are already recorded."""
    return Choice(
        step=playthrough.choice_count,
        turn=playthrough.state.turn,
        side=decision.side,
        question=decision.question,
        options=len(decision.options),
        choice=index,
        label=option_label(playthrough.state, game.programs.entries, decision, decision.options[index]),
        dice=tuple(die.value for die in playthrough.dice[thrown:]),
        state=playthrough.digest(),
    )


def result_entry(playthrough: Playthrough, end: FinishedGame, thrown: int) -> Result:
    """Build the line of the result."""
    dice = tuple(die.value for die in playthrough.dice[thrown:])
    return Result(end.winner, end.level, end.turn, end.choice_count, dice, playthrough.digest())
