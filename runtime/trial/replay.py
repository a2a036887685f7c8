"""Replay a trial and compare each line with the record.

The input is a game and a trial; the output is the first line that differs, or None. Under the recorded graph there is
none on any machine; under another graph it is where the rules diverge.
"""

from runtime.graph import nodes as graph
from runtime.graph.digest import play_digest
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.play.game import FinishedGame, Game
from runtime.play.labels import option_labels
from runtime.play.options import Decision
from runtime.trial.entries import result_entry
from runtime.trial.interactive_game import InteractiveGame
from runtime.trial.nodes import Choice, Trial


@frozen_dataclass
class ReplayMismatch:
    """Where a game diverges from its trial: the step, what differs, the recorded and the actual value."""

    step: int
    turn: int
    side: str
    question: str
    kind: str
    written: str
    instead: str


def mismatch_text(trial: Trial, rules: graph.Graph, found: ReplayMismatch) -> str:
    """Return why a trial cannot be continued: the rules have changed if their hash has, otherwise its file."""
    cause = "the rules have changed since this game was recorded, or its file"
    if trial.heading.hash == play_digest(rules):
        cause = "the rules are as they were, so the file of this game was changed, or written by another version"
    return f"{cause}: in step {found.step} ({found.question}) {found.kind} was {found.written} and is {found.instead}"


def first_mismatch(game: Game, trial: Trial) -> ReplayMismatch | None:
    """Return the first line that differs."""
    interactive = InteractiveGame(game, game.start(trial.heading.seed))
    return repeat_choices(interactive, trial) or _result_divergence(interactive, trial)


def repeat_choices(interactive: InteractiveGame, trial: Trial) -> ReplayMismatch | None:
    """Return the first line that differs when the choices of a trial are repeated; None if all are the same."""
    for line in trial.choices:
        decision = interactive.ask()
        found = _divergence_of(interactive, decision, line)
        if found is not None or not isinstance(decision, Decision):
            return found
        interactive.make_choice(decision, line.choice)
    return None


def _divergence_of(
    interactive: InteractiveGame, decision: Decision | FinishedGame, line: Choice
) -> ReplayMismatch | None:
    """Return how one line differs from the present decision; None if it does not."""
    if not isinstance(decision, Decision):
        return ReplayMismatch(line.step, line.turn, line.side, line.question, "end", line.label, "the game is over")
    known = option_labels(interactive.playthrough.state, interactive.game.programs.entries, decision)
    index = _place_of_choice(known, line)
    actual = interactive.choice_line(decision, max(index, 0))
    pairs = [
        ("dice", list(line.dice), list(actual.dice)),
        ("side", line.side, actual.side),
        ("question", line.question, actual.question),
        ("choice", line.label, actual.label if index >= 0 else f"not among {', '.join(known)}"),
        ("options", line.options, actual.options),
        ("place of the choice", line.choice, actual.choice),
        ("state", line.state, actual.state),
    ]
    for kind, written, instead in pairs:
        if written != instead:
            return ReplayMismatch(line.step, line.turn, line.side, line.question, kind, str(written), str(instead))
    return None


def _place_of_choice(known: list[str], line: Choice) -> int:
    """Return the index of the option with the label of a line, -1 for none; its own if labels are ambiguous."""
    if line.choice < len(known) and known[line.choice] == line.label:
        return line.choice
    return known.index(line.label) if line.label in known else -1


def _result_divergence(interactive: InteractiveGame, trial: Trial) -> ReplayMismatch | None:
    """Return how the result differs; None if it does not."""
    if trial.result is None:
        return None
    decision, playthrough = interactive.ask(), interactive.playthrough
    step, turn = playthrough.choice_count, playthrough.state.turn
    if isinstance(decision, Decision):
        return ReplayMismatch(
            step, turn, decision.side, decision.question, "end", "the game is over", decision.question
        )
    actual = result_entry(playthrough, decision, interactive.dice_before())
    if actual == trial.result:
        return None
    return ReplayMismatch(step, turn, "", "", "result", str(trial.result), str(actual))
