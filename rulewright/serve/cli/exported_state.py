"""The state to export: that of a position or a card, or the last of a recorded game."""

from collections.abc import Sequence
from pathlib import Path

from rulewright.exchange.records import EXPORTERS, Exporter
from rulewright.explain.views.shown_scenes import RenderedScene, load_scene
from rulewright.games.journal import is_trial, read_trial
from rulewright.games.scenarios import game_of, load_recorded
from rulewright.system.entry_points import load_adapters
from rulewright.system.errors import UsageError
from runtime.state.position import State
from runtime.trial.interactive_game import InteractiveGame
from runtime.trial.replay import mismatch_text, repeat_choices


def find_exporter(out: Path) -> Exporter:
    """Return the exporter of a file, by its ending; `UsageError` if there is none."""
    ending = out.suffix.lower()
    known: list[str] = []
    for exporter in load_adapters(EXPORTERS, Exporter):
        if ending == exporter.save_ending:
            return exporter
        known.append(exporter.save_ending)
    raise UsageError(f"{out} should end with {', or with '.join(known)}")


def state_of(source: str, rules: str | None, packages: Sequence[Path]) -> State | RenderedScene:
    """Return the state of a position or a card, or the last one of a trial, by replay; a scene that has errors."""
    file = Path(source)
    if file.is_file() and is_trial(file):
        return _last_state(file, packages, rules)
    found = load_scene(source, rules, packages)
    if found.scene is None:
        return found
    if found.scene.waits_for:
        raise UsageError(f"`{found.scene.name}` waits for its boards: {', '.join(found.scene.waits_for)}")
    return found.scene.opening()


def _last_state(file: Path, packages: Sequence[Path], rules: str | None) -> State:
    """Replay a recorded game under the rules that it was recorded with, or under `rules`."""
    trial = read_trial(file)
    stack = load_recorded(trial.heading, packages, rules).rules
    game = game_of(stack)
    interactive = InteractiveGame(game, game.start(trial.heading.seed), lambda _: None)
    if parted := repeat_choices(interactive, trial):
        raise UsageError(mismatch_text(trial, stack, parted))
    interactive.ask()
    return interactive.playthrough.state
