"""Games of the page: started, reopened from their files, and continued.

In: cards by name, and the folder of games. Out: `GameSession`s. Each is recorded choice by choice in a trial
file, like those of `play`, from which it is restored when the server restarts: there is no other persistent state.
"""

import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from threading import Lock, RLock
from time import monotonic
from typing import Any, TypeVar

from rulewright.games.journal import Journal, create_journal, reopen_journal
from rulewright.games.scenarios import HUMAN, game_of, known_players, load_recorded, load_scenario, players_of
from rulewright.library import cache
from rulewright.library.stacks import Stack
from rulewright.serve.terminal.game_setup import game_file, games_folder
from rulewright.serve.workbench.changeable_layers import layers_in
from rulewright.serve.workbench.checked_values import check_options
from rulewright.serve.workbench.game_log import GameLog, LogEntry
from rulewright.serve.workbench.jobs import Jobs
from rulewright.serve.workbench.player_process import PlayerProcess, needs_process
from rulewright.serve.workbench.player_process import start_player as begin_thinking
from rulewright.serve.workbench.readable_packages import readable_packages
from rulewright.system.errors import UsageError
from runtime.graph import nodes as graph
from runtime.play.game import FinishedGame, Game
from runtime.play.options import Decision
from runtime.play.playthrough import Playthrough
from runtime.players.player import Seats, choose_option, seat_players
from runtime.trial.interactive_game import InteractiveGame
from runtime.trial.nodes import Trial
from runtime.trial.record import finish_phase
from runtime.trial.replay import mismatch_text, repeat_choices

K = TypeVar("K")
V = TypeVar("V")

SESSION_NAME = re.compile(r"[\w-]+")
SUFFIX = ".trial"
# The time in seconds for which other players choose before the page is updated.
STRETCH = 0.4
# The most machines for positions of examples and files.
MOST_MACHINES = 3
# The most cards with their rules, and machines for them, by last use.
MOST_CARDS = 6
# The most cached clicks: on all counters of a side, at a few moments.
MOST_WAYS = 400


_COUNTING = Lock()


class StaleVersion(Exception):  # noqa: N818 -- no error: another window was quicker
    """A request about an earlier version of a game."""


@dataclass(slots=True)
class GameSession:
    """An open game. `lines` are the numbers of choices before each click."""

    name: str
    stack: Stack
    rules: graph.Graph
    interactive: InteractiveGame
    journal: Journal
    humans: frozenset[str]
    seats: Seats
    lines: list[int] = field(default_factory=list)
    game_log: GameLog = field(default_factory=GameLog)
    undo_count: int = 0
    is_closed: bool = False
    # The sides with slow players, and the process in which they choose.
    slow_sides: frozenset[str] = frozenset()
    player_process: PlayerProcess | None = None

    @property
    def game(self) -> Game:
        """Return the machine of the game."""
        return self.interactive.game

    @property
    def playthrough(self) -> Playthrough:
        """Return the current playthrough."""
        return self.interactive.playthrough

    @property
    def version(self) -> str:
        """Return the version of the game, which every choice and every undo changes."""
        return f"{self.playthrough.choice_count}.{self.undo_count}"

    @property
    def viewing_side(self) -> str:
        """Return the side whose knowledge is shown: that of the only human player, otherwise the one that is asked."""
        decision = self.ask()
        side = decision.side if isinstance(decision, Decision) else ""
        return next(iter(self.humans)) if len(self.humans) == 1 else side

    @property
    def has_hand_over(self) -> bool:
        """Return whether several people share the screen in a game with secrets."""
        return len(self.humans) > 1 and bool(self.game.choices.secret)

    def ask(self) -> Decision | FinishedGame:
        """Advance to the next decision, or to the end, which is recorded."""
        decision = self.interactive.ask()
        if isinstance(decision, FinishedGame) and not self.is_closed:
            self.interactive.close(decision)
            self.is_closed = True
        return decision

    def take(self, version: str, options: Sequence[int]) -> None:
        """Apply options, one per decision, while the same human player has the decisions and no die has been thrown."""
        self.expect_version(version)
        decision = self.ask()
        side, dice = (decision.side if isinstance(decision, Decision) else ""), len(self.playthrough.dice)
        if side not in self.humans:
            raise UsageError("no player at this page has a choice now")
        check_options(self.game, self.playthrough, options)
        self.lines.append(self.playthrough.choice_count)
        for option in options:
            decision = self.ask()
            if not isinstance(decision, Decision) or decision.side != side or len(self.playthrough.dice) > dice:
                break
            self.interactive.choose(decision, option)
        self.ask()

    def undo(self, version: str) -> None:
        """Undo the choices of the last click, as far as undo is not refused."""
        self.expect_version(version)
        decision = self.ask()
        side = decision.side if isinstance(decision, Decision) else ""
        if bar := self.undo_refusal(side):
            raise UsageError(f"this cannot be undone: {bar}")
        self.interactive.undo_to(self.lines.pop() if self.lines else self.playthrough.choice_count - 1, side)
        self.undo_count += 1
        self.game_log.undo_to(self.playthrough.choice_count)

    def undo_refusal(self, side: str) -> str:
        """Return why a side may not undo the last choice; "" if it may."""
        return "the game is over" if self.is_closed else self.interactive.undo_refusal(side)

    def finish_phase(self, version: str, seconds: float = inf, *, going_on: bool = False) -> bool:
        """Choose as the greedy player for the side of the decision until the phase ends or another side has a decision.

        Return True if the time limit was reached before; with `going_on`, the continued choices are undone as one.
        """
        self.expect_version(version)
        decision = self.ask()
        side = decision.side if isinstance(decision, Decision) else ""
        if side not in self.humans:
            raise UsageError("no player at this page has a choice now")
        if not going_on:
            self.lines.append(self.playthrough.choice_count)
        until = monotonic() + seconds
        has_more = finish_phase(self.interactive, side, lambda: monotonic() > until)
        self.ask()  # The end of a game is recorded.
        return has_more

    def let_others_play(self) -> bool:
        """Run the players that are not human for a limited time; return whether they have further decisions."""
        until = monotonic() + STRETCH
        while isinstance(decision := self.ask(), Decision) and decision.side not in self.humans:
            if monotonic() > until or decision.side in self.slow_sides:
                return True
            self.interactive.choose(decision, choose_option(self.game, self.playthrough, decision, self.seats))
        return False

    def let_think(self, jobs: Jobs, packages: tuple[Path, ...]) -> bool:
        """Apply the new choices of a slow player; return whether it has further decisions."""
        if self.player_process is None:
            self.player_process = begin_thinking(jobs, self.journal.file, packages)
        ended = not self.player_process.job.is_running
        for choice_count, option in self.player_process.choices():
            decision = self.ask()
            if (
                choice_count != self.playthrough.choice_count
                or not isinstance(decision, Decision)
                or option >= len(decision.options)
            ):
                self.stop_thinking()
                return True
            self.interactive.choose(decision, option)
        if ended:
            job, self.player_process = self.player_process.job, None
            if job.process.returncode:
                raise UsageError(
                    f"the computer player stopped with an error; the game is stored in its file: {job.failure_text()}"
                )
        return isinstance(decision := self.ask(), Decision) and decision.side not in self.humans

    def stop_thinking(self) -> None:
        """Stop the process of a slow player; its pending decision is restarted later."""
        if self.player_process is not None:
            self.player_process.job.stop()
            self.player_process = None

    def player_thinks(self) -> bool:
        """Return whether the decision is that of a slow player."""
        return isinstance(decision := self.ask(), Decision) and decision.side in self.slow_sides

    def expect_version(self, version: str) -> None:
        """Raise `StaleVersion` for a click on an earlier version."""
        if version != self.version:
            raise StaleVersion

    def playthrough_at(self, moment: int | None) -> Playthrough:
        """Return the playthrough before a choice; the current one for None."""
        if moment is None or moment >= self.playthrough.choice_count:
            self.ask()
            return self.playthrough
        copied = self.playthrough.copy()
        while copied.choice_count > max(0, moment):
            copied.undo()
        return copied

    def log(self, reader: str) -> list[LogEntry]:
        """Return the log by choice, as far as a side may know it."""
        return self.game_log.entries(self.playthrough, reader, secret=bool(self.game.choices.secret))


@dataclass(slots=True)
class Sessions:
    """The open games of a server, which runs one request at a time."""

    packages: tuple[Path, ...]
    open: dict[str, GameSession] = field(default_factory=dict)
    lock: RLock = field(default_factory=RLock)
    cards: dict[tuple[str, str | None], Stack] = field(default_factory=dict)
    games: dict[tuple[str, str | None], Game] = field(default_factory=dict)
    jobs: Jobs = field(default_factory=Jobs)
    machines: dict[str, Game] = field(default_factory=dict)
    # The folder in which layers are saved: that in which the page was started.
    save_folder: Path = field(default_factory=Path.cwd)
    # Results of clicks; the page prefetches those of highlighted counters.
    clicks: dict[tuple[object, ...], Any] = field(default_factory=dict)
    # The number of waiting requests.
    waiting: int = 0
    # Temporary folders, removed when the page ends.
    scratch: list[Path] = field(default_factory=list)

    @contextmanager
    def engine_turn(self) -> Iterator[None]:
        """Acquire exclusive use of the engine; prefetches check `waiting`, and yield."""
        with _COUNTING:
            self.waiting += 1
        self.lock.acquire()
        with _COUNTING:
            self.waiting -= 1
        try:
            yield
        finally:
            self.lock.release()

    @property
    def available_packages(self) -> tuple[Path, ...]:
        """Return the packages of the page, and the layers that the folder for saved layers has by now."""
        return tuple(dict.fromkeys((*self.packages, *layers_in(self.save_folder))))

    @property
    def packages_in_reach(self) -> tuple[Path, ...]:
        """Return the available packages that can be read."""
        return readable_packages(self.available_packages)

    def card(self, scenario: str, rules: str | None = None) -> tuple[Stack, graph.Graph]:
        """Return a compiled card, with caching; `UsageError` if it has errors."""
        found = self.cards.get((scenario, rules)) or load_scenario(scenario, rules, self.packages_in_reach)
        compiled = found.rules
        cache_recent(self.cards, (scenario, rules), found, MOST_CARDS)
        return found, compiled

    def game(self, scenario: str, rules: str | None = None) -> Game:
        """Return a machine for positions of a card, with caching."""
        _, compiled = self.card(scenario, rules)
        found = self.games.get((scenario, rules)) or _game_with_accounts(compiled)
        return cache_recent(self.games, (scenario, rules), found, MOST_CARDS)

    def forget_rules(self) -> None:
        """Clear the caches after a change of files; open games continue under their original rules."""
        self.cards.clear()
        self.games.clear()

    def machine_of(self, rules: graph.Graph) -> Game:
        """Return a machine for positions under some rules, with caching."""
        found = self.machines.get(rules.hash) or _game_with_accounts(rules)
        return cache_recent(self.machines, rules.hash, found, MOST_MACHINES)

    def begin(self, scenario: str, rules: str | None, players: str, seed: str) -> GameSession:
        """Start a game with a new file; `UsageError` if there is no folder for it."""
        if unusable := cache.unusable_reason():
            raise UsageError(f"the game cannot be saved, so it is not begun: {unusable}")
        stack, compiled = self.card(scenario, rules)
        names = players_of(compiled, players, {HUMAN: _nobody})
        file = game_file(compiled, re.sub(r"\W", "", seed) or "1")
        session = self.make_session(file.stem, stack, compiled, create_journal(file), (names, seed))
        session.interactive.write_heading(names, seed)
        self.open[session.name] = session
        return session

    def find(self, name: str) -> GameSession:
        """Return an open game, or reopen it from its file."""
        if name not in self.open:
            if not SESSION_NAME.fullmatch(name):
                raise UsageError("this is not the name of a game")
            file = games_folder() / f"{name}{SUFFIX}"
            if not file.is_file():
                raise UsageError(f"there is no game `{name}` any more; its file would be {file}")
            self.open[name] = self.reopen(name, file)
        return self.open[name]

    def reopen(self, name: str, file: Path) -> GameSession:
        """Reopen a game from its file."""
        journal, trial, _ = reopen_journal(file)
        try:
            stack = load_recorded(trial.heading, self.packages_in_reach)
            session = self.make_session(name, stack, stack.rules, journal, (trial.heading.players, trial.heading.seed))
            _play_again(session, trial)
        except BaseException:
            journal.close()
            raise
        return session

    def make_session(
        self, name: str, stack: Stack, rules: graph.Graph, journal: Journal, who: tuple[Mapping[str, str], str]
    ) -> GameSession:
        """Build a session with its players; an unknown player is replaced by the greedy one."""
        names, seed = who
        game = _game_with_accounts(rules)
        interactive = InteractiveGame(game, game.start(seed), journal.write)
        humans = frozenset(side for side, player in names.items() if player == HUMAN)
        seats = seat_players(
            {side: known_players(player, {}) for side, player in names.items() if player != HUMAN}, seed
        )
        slow = frozenset(side for side, player in names.items() if needs_process(player))
        return GameSession(name, stack, rules, interactive, journal, humans, seats, slow_sides=slow)

    def stored_games(self) -> list[Path]:
        """Return the files of the games that can be resumed, the latest first."""
        files = [*games_folder().glob(f"*{SUFFIX}")] if games_folder().is_dir() else []
        return sorted(files, key=lambda file: -file.stat().st_mtime)

    def close(self) -> None:
        """Close all files, and stop all jobs."""
        self.jobs.close()
        for each in self.scratch:
            shutil.rmtree(each, ignore_errors=True)
        self.scratch.clear()
        for session in self.open.values():
            session.journal.close()
        self.open.clear()


def _game_with_accounts(rules: graph.Graph) -> Game:
    """Build a machine that emits accounts."""
    game = game_of(rules)
    game.tell_accounts()
    return game


def cache_recent(cache: dict[K, V], key: K, value: V, most: int) -> V:
    """Store a value in a cache that is limited by last use; return the value."""
    cache.pop(key, None)
    cache[key] = value
    for older in list(cache)[:-most]:
        del cache[older]
    return value


def _play_again(session: GameSession, trial: Trial) -> None:
    """Replay the choices of a trial; `UsageError` if it diverges."""
    if parted := repeat_choices(session.interactive, trial):
        raise UsageError(mismatch_text(trial, session.rules, parted))
    session.is_closed = trial.result is not None


def _nobody(*_: object) -> int:
    raise AssertionError("a person is asked at the page")
