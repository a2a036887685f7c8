"""A player at the terminal: shows what is asked, reads the number of an option."""

import sys

from rulewright.cli.console import note
from rulewright.errors import UsageError
from runtime.play.choices import Decision
from runtime.play.course import Course
from runtime.play.dice import Stream
from runtime.play.game import Game
from runtime.play.labels import labels


def human(game: Game, course: Course, decision: Decision, chance: Stream) -> int:  # noqa: ARG001 -- what a player is
    """Ask until one of the options is named."""
    state = course.state
    shown = labels(state, game.programs.of, decision)
    phase = f", {state.phase}" if state.phase else ""
    note(f"\nturn {state.turn}{phase}: {decision.side}, {decision.question}")
    for number, text in enumerate(shown, 1):
        note(f"  {number:>3}  {text}")
    while True:
        note(f"choose 1 to {len(shown)}:")
        line = sys.stdin.readline()
        if not line:
            raise UsageError("the game was left: nobody answers at the terminal")
        answer = line.strip()
        if answer in shown:
            return shown.index(answer)
        if answer.isdecimal() and 1 <= int(answer) <= len(shown):
            return int(answer) - 1
