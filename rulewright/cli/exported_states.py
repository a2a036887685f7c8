"""The states to export: that of a position or a card, or those of a recorded game."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rulewright.errors import UsageError
from rulewright.exchange.entry_points import load_adapters
from rulewright.exchange.records import EXPORTERS, Exporter
from rulewright.games import game_of, load_recorded
from rulewright.journal import is_trial, read_trial
from rulewright.table.journal_text import events_text
from rulewright.views.shown_scenes import RenderedScene, load_scene
from runtime.play.options import Decision
from runtime.state.position import State
from runtime.trial.interactive_game import InteractiveGame
from runtime.trial.replay import divergence_of

# Of a game with more choices, only the final state is exported.
MOST_EXPORTED_STEPS = 5_000


@dataclass(frozen=True, slots=True)
class ExportedStates:
    """States, each with a sentence about the step before it, or the failed scene."""

    states: tuple[tuple[str, State], ...]
    scene: RenderedScene | None = None


def find_exporter(out: Path) -> Exporter:
    """Return the exporter of a file, by its ending; `UsageError` if there is none."""
    ending = out.suffix.lower()
    known: list[str] = []
    for exporter in load_adapters(EXPORTERS, Exporter):
        if ending and ending in {exporter.save_ending, exporter.log_ending}:
            return exporter
        log = f", or with {exporter.log_ending} for every step of a game" if exporter.log_ending else ""
        known.append(f"{exporter.save_ending}{log}")
    raise UsageError(f"{out} should end with {'; with '.join(known)}")


def states_of(source: str, rules: str | None, packages: Sequence[Path], *, every: bool) -> ExportedStates:
    """Return the state of a position or a card; of a trial, by replay, the last state or `every` state."""
    file = Path(source)
    if file.is_file() and is_trial(file):
        return _states_of_trial(file, packages, rules, every=every)
    found = load_scene(source, rules, packages)
    if found.scene is None:
        return ExportedStates((), scene=found)
    if found.scene.waits_for:
        raise UsageError(f"`{found.scene.name}` waits for its boards: {', '.join(found.scene.waits_for)}")
    return ExportedStates((("", found.scene.opening()),))


def _states_of_trial(file: Path, packages: Sequence[Path], rules: str | None, *, every: bool) -> ExportedStates:
    """Replay a recorded game under the rules that it was recorded with."""
    trial = read_trial(file)
    game = game_of(load_recorded(trial.heading, packages, rules).rules)
    game.tell_accounts()
    interactive = InteractiveGame(game, game.start(trial.heading.seed))
    decision = interactive.ask()
    states = [("", interactive.playthrough.state.copy())]
    every = every and len(trial.choices) <= MOST_EXPORTED_STEPS
    for line in trial.choices:
        playthrough = interactive.playthrough
        since, thrown = len(playthrough.journal), len(playthrough.dice)
        if (parted := divergence_of(interactive, decision, line)) is not None or not isinstance(decision, Decision):
            step_text = f" in step {parted.step} ({parted.question})" if parted else ""
            raise UsageError(
                f"{file} is another game under these rules{step_text}; `rulewright replay` says where they part"
            )
        interactive.make_choice(decision, line.choice)
        decision = interactive.ask()
        if every:
            states.append(("; ".join(events_text(playthrough, since, thrown)), playthrough.state.copy()))
    return ExportedStates(tuple(states) if every else (("", interactive.playthrough.state.copy()),))
