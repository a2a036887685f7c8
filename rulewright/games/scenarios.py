"""Load scenario cards and players, play games, and replay recorded ones."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from time import monotonic

from compiler.layered.layer_selection import layer_names_of
from compiler.report.diagnose import diagnose
from compiler.report.diagnostic import Diagnostic
from compiler.source import nodes as source
from compiler.source.files import MANIFEST
from compiler.source.finding import Finding
from compiler.source.lazy_table import LazyTable
from compiler.source.nodes import Scenario
from compiler.source.package import Library, read_document
from rulewright.games.faults import fault_of, fault_of_play
from rulewright.library.ablation import without_labels
from rulewright.library.generated_code import known_code
from rulewright.library.stack_names import named_stack
from rulewright.library.stacks import PackageSet, Stack, open_packages
from rulewright.system.errors import UsageError, suggestion_text
from rulewright.system.shell_words import shell_word
from runtime.answer.code import ANSWERING
from runtime.answer.generate import GeneratedEvaluator
from runtime.experiment.report import game_report
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import Unanswered
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.records.playing import FinishedGameRecord
from runtime.graph.unsettled_offer import UnsettledOffer
from runtime.play.game import FinishedGame, Game
from runtime.play.garbage_collection import exempt_objects
from runtime.play.playthrough import Playthrough
from runtime.play.rule_faults import BrokenRules
from runtime.players.player import Player, play_out, seat_players
from runtime.players.player_names import PLAYERS, budgets_of, player_named
from runtime.trial.divergence import Divergence, first_divergence
from runtime.trial.nodes import Heading, Trial
from runtime.trial.replay import ReplayMismatch, first_mismatch
from runtime.witness.structural_difference import structural_difference

# The name of a player at the terminal.
HUMAN = "human"


def load_scenario(
    named: str, rules: str | None, packages: Sequence[Path] = (), left_out: tuple[str, ...] = ()
) -> Stack:
    """Compile a playable card, by name or from a file, on its own stack or another one.

    `left_out` are rules to be removed (library/ablation.py).
    """
    return _playable(load_card(named, rules, packages, left_out))


def _playable(stack: Stack) -> Stack:
    """Return a stack; `UsageError` if its card waits for boards."""
    card = stack.graph.scenario if stack.graph else None
    if card is not None and card.waits_for:
        boards = ", ".join(card.waits_for)
        raise UsageError(f"`{card.name}` waits for its boards ({boards}): give a folder that has them with --path")
    return stack


def load_recorded(
    heading: Heading, packages: Sequence[Path], rules: str | None = None, card: str | None = None
) -> Stack:
    """Compile the card of a recorded game on its stack; the caller may override both.

    A trial is untrusted: its names are looked up in the available packages, never as files or folders.
    """
    name, folders = named_stack(rules) if rules else (heading.stack, [])
    package_set = open_packages((*packages, *folders, *(enclosing_folder(card) if card else ())))
    known = package_set.library.scenarios
    if card is None and heading.scenario not in known.places:
        hint = f"{suggestion_text(heading.scenario, list(known))} Name the folder it is in with --path"
        raise UsageError(f"this game was played in the situation `{heading.scenario}`, which is not in reach; {hint}")
    if missing := package_set.missing_layers(name):
        raise UsageError(f"there is no layer `{missing[0]}` in reach; name the folder it is in with --path")
    found = _playable(_compiled_card(package_set, card or heading.scenario, name))
    played_on = found.graph.scenario.name if found.graph and found.graph.scenario else heading.scenario
    if played_on != heading.scenario:
        raise UsageError(f"this game was played in the situation `{heading.scenario}`, not in `{played_on}`")
    return found


def load_card(named: str, rules: str | None, packages: Sequence[Path], left_out: tuple[str, ...] = ()) -> Stack:
    """Compile a card, which may wait for boards."""
    name, folders = named_stack(rules) if rules else ("", [])
    package_set = open_packages((*packages, *folders, *enclosing_folder(named)))
    return _compiled_card(package_set, named, name, left_out)


def _compiled_card(package_set: PackageSet, named: str, name: str, left_out: tuple[str, ...] = ()) -> Stack:
    """Compile a card, by name or from a file, on a stack, by default its own."""
    if Path(named).is_dir() and named not in package_set.library.scenarios.places:
        named = _card_in(Path(named), package_set.library)
    card, file, problems = _card(named, package_set.library.scenarios)
    if card is None:
        problems = (*problems, *package_set.library.scenarios.problems)
        return Stack(named, package_set.library, None, None, problems, package_set.texts(file))
    if name:
        package_set.require_layers(name)
    card_problems = (*problems, *package_set.library.scenarios.problems)
    if card_problems:
        return Stack(named, package_set.library, None, None, card_problems, package_set.texts(file))
    stack = name or card.uses.text
    if left_out:
        package_set = PackageSet(without_labels(package_set.library, stack, left_out), package_set.problems, left_out)
    return package_set.compiled(stack, card, file)


def enclosing_folder(named: str) -> list[Path]:
    """Return the folder of a path: itself, or of a file its layer, or its package with `scenarios/`; [] if none."""
    place = Path(named)
    if place.is_dir():
        return [place]
    if not place.is_file():
        return []
    above = place.resolve().parents
    layer = next((folder for folder in above[:3] if (folder / MANIFEST).is_file()), None)
    package = above[1] if above[0].name == "scenarios" else None
    return [folder for folder in (layer or package,) if folder is not None]


def _card_in(folder: Path, library: Library) -> str:
    """Return the only card in a folder; `UsageError` if there are none or several."""
    resolved_folder, known = folder.resolve(), library.scenarios
    cards = sorted(
        name for name, (found, _) in known.places.items() if found.path.resolve().is_relative_to(resolved_folder)
    )
    if len(cards) == 1:
        return cards[0]
    if cards:
        listed = ", ".join(cards)
        raise UsageError(
            f"`{folder}` has {len(cards)} situations; add `--path {shell_word(folder)}` and name one: {listed}"
        )
    if not (folder / MANIFEST).is_file():
        raise UsageError(f"`{folder}` has no situation")
    name, _ = named_stack(f"{folder.as_posix()}/")
    below = layer_names_of(library, name)
    playable_cards = [each for each, card in known.items() if below.issuperset(card.uses.text.split("+"))]
    raise UsageError(
        f"`{folder}` has no situation of its own; name one that it can be played on and add `--rules {folder}/`: "
        + (", ".join(playable_cards) or "there is none")
    )


def _card(named: str, known: LazyTable[Scenario]) -> tuple[Scenario | None, Path | None, tuple[Finding, ...]]:
    """Return a card by name, or read it from a file."""
    if named in known.places:
        return known.get(named), None, ()
    if Path(named).suffix or "/" in named:
        card, problems = read_document(Path(named), source.Scenario)
        return card, Path(named), problems
    raise UsageError(f"there is no scenario `{named}`; {suggestion_text(named, list(known))}")


def game_of(rules: graph.Graph) -> Game:
    """Build the game of a graph with a card, with the fast evaluator."""
    exempt_objects()
    return Game(rules, GeneratedEvaluator(rules, code=known_code(rules, ANSWERING)))


def _separate_names(listed: str) -> list[str]:
    """Split names at commas; `UsageError` for an empty one, which may stand for a name that was forgotten."""
    names = [each.strip() for each in listed.split(",")]
    if "" in names:
        raise UsageError(f"`{listed}` has no name before or behind a comma" if len(names) > 1 else "no player is named")
    return names


def players_of(rules: graph.Graph, named: str, others: Mapping[str, Player] | None = None) -> dict[str, str]:
    """Parse players as `random,greedy`, in the order of sides, or as `side=random,side=greedy`."""
    more = others or {}
    order = rules.scenario.order if rules.scenario else ()
    names = _separate_names(named)
    chosen: dict[str, str] = {}
    for number, name in enumerate(names if len(names) > 1 else names * len(order)):
        side, separator, player = name.rpartition("=")
        if separator and side not in order:
            raise UsageError(f"no side `{side}` plays here; {suggestion_text(side, order)}")
        known_players(player, more)
        if not separator and number >= len(order):
            raise UsageError(f"{len(names)} players for {len(order)} sides")
        chosen[side or order[number]] = player
    missing = [side for side in order if side not in chosen]
    if missing:
        raise UsageError(f"nobody plays {', '.join(missing)}")
    return chosen


def require_new_names(names: Sequence[str]) -> None:
    """Check the names of external players; `UsageError` for that of a shipped player, or for one that occurs twice.

    Compiled code and recorded games know players by name alone, and would play the shipped one.
    """
    for number, name in enumerate(names):
        if name in (*PLAYERS, HUMAN):
            raise UsageError(f"`{name}` is a player that comes with Rulewright: give yours another name")
        if name in names[:number]:
            raise UsageError(f"two players are named `{name}`: give one of them another name")


def known_players(name: str, others: Mapping[str, Player]) -> Player:
    """Return a player by name; `UsageError` if it is unknown."""
    try:
        return others.get(name) or player_named(name, monotonic)
    except KeyError:
        if name == HUMAN:
            raise UsageError("`human` plays one game at the terminal, with `play`; here nobody is asked") from None
        helps = budgets_of(name) or suggestion_text(name, [*PLAYERS, *others])
        raise UsageError(f"there is no player `{name}`; {helps}") from None


@frozen_dataclass
class PlayedGame:
    """A played game: its result, or the problem that stopped it, or neither if it was left; and its file.

    `unsettled` are offers whose completability the budget did not always decide.
    """

    data: FinishedGameRecord | None
    end: FinishedGame | None
    problem: Finding | None
    seed: str = ""
    file: Path | None = None
    unsettled: tuple[UnsettledOffer, ...] = ()

    def diagnostics(self, texts: Mapping[str, str]) -> list[Diagnostic]:
        """Return the diagnostics of the problem that stopped the game."""
        return diagnose([self.problem] if self.problem else [], texts)


def play_to_end(
    rules: graph.Graph, names: Mapping[str, str], seed: str, others: Mapping[str, Player] | None,
) -> PlayedGame:  # fmt: skip
    """Play one game to its end."""
    players = {side: known_players(name, others or {}) for side, name in names.items()}
    game = game_of(rules)
    playthrough: Playthrough | None = None
    try:
        playthrough = game.start(seed)
        end = play_out(game, playthrough, seat_players(players, seed))
    except BrokenRules as broken:
        return PlayedGame(None, None, fault_of_play(broken))
    except Unanswered as unanswered:
        if playthrough is None:
            raise
        return PlayedGame(None, None, fault_of(unanswered, playthrough.state))
    return PlayedGame(game_report(rules, playthrough, end), end, None)


def replay_divergence(rules: graph.Graph, trial: Trial) -> ReplayMismatch | None:
    """Replay a trial under its own rules; return the first mismatch, None if there is none."""
    return first_mismatch(game_of(rules), trial)


def find_divergence(recorded: graph.Graph, other: graph.Graph, trial: Trial) -> Divergence | None:
    """Return where a trial diverges under other rules; None if it does not."""
    return first_divergence(trial, game_of(recorded), game_of(other))


def changes_behind(recorded: graph.Graph, other: graph.Graph, found: Divergence) -> list[str]:
    """Return the changes that took part in the diverging step: rules, cells, procedures, by their labels."""
    parts = found.cause.parts if found.cause else frozenset()
    changes = [each for each in structural_difference(recorded, other) if each.operation != "printed"]
    labels = [
        label for change in changes for label in change.labels if parts & {change.name, label, label.partition("[")[0]}
    ]
    return list(dict.fromkeys(labels))
