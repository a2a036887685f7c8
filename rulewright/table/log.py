"""The log of a recorded game: its events as sentences, from the first choice to the last.

In: the graph and the trial. Out: lines. A trial contains choices only; the accounts are recomputed by replay.
"""

from rulewright.errors import UsageError
from rulewright.games import game_of
from rulewright.table.journal_text import events_text
from runtime.graph import nodes as graph
from runtime.trial.interactive_game import InteractiveGame
from runtime.trial.nodes import Trial
from runtime.trial.replay import mismatch_text, repeat_choices


def trial_log(rules: graph.Graph, trial: Trial) -> list[str]:
    """Replay a trial and return its log; `UsageError` if the replay diverges."""
    game = game_of(rules)
    game.tell_accounts()
    interactive = InteractiveGame(game, game.start(trial.heading.seed))
    if parted := repeat_choices(interactive, trial):
        raise UsageError(f"{mismatch_text(trial, rules, parted)}; `replay` without `--log` says more")
    interactive.ask()
    return events_text(interactive.playthrough, 0, 0)
