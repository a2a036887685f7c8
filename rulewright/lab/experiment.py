"""The execution of an experiment: stacks, players, a pool of workers, stored results, a stopping rule.

In: graphs of one card under several stacks. Out: a `Summary`. Rows are read from stored results first, then
produced by the pool; each is written before it is counted, and discarded afterwards.
"""

import pickle
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING

from rulewright.games.engines import NATIVE, PYTHON
from rulewright.games.player_code import PlayerCode, Roster
from rulewright.games.scenarios import game_of
from rulewright.lab.results import Results
from rulewright.lab.versions import engine_version, players_version
from rulewright.library.generated_code import known_code
from rulewright.system.progress import ProgressListener
from runtime.experiment.differences import compute_differences
from runtime.experiment.duel import list_duels
from runtime.experiment.leads import largest_lead
from runtime.experiment.plan import ExperimentPlan, Row, Seating
from runtime.experiment.processes import WorkerPool, play_range
from runtime.experiment.reachable_changes import Changes, changes_of, watched_keys
from runtime.experiment.result_lines import VERSION, ExperimentHeading
from runtime.experiment.stopping import StoppingRule, is_interim_look, stop_reason
from runtime.experiment.summary import Summary, summarize_results
from runtime.experiment.tally import StackPair, Tally
from runtime.experiment.watched_parts import watched_parts
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.budget import budget_limit
from runtime.graph.count_layout import CountRequest
from runtime.graph.digest import play_digest
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.play.game import Game

if TYPE_CHECKING:
    from runtime.engine.module import CompiledModule


@frozen_dataclass
class ExperimentStack:
    """A stack of an experiment; `baselines` are the indices of the stacks that it is compared with."""

    name: str
    graph: graph.Graph
    baselines: tuple[int, ...] = ()

    @property
    def card(self) -> str:
        """Return the name of the card."""
        return self.graph.scenario.name if self.graph.scenario else ""


@dataclass(frozen=True)
class Experiment:
    """The design of an experiment: one card under several stacks, with one or more seatings, and one seed.

    `player_code` is the code of external players. Results do not depend on the `engine`. In the first `counted_games`
    games, live rules and uses of changes are counted; the others may be played by a module without listeners.
    """

    stacks: tuple[ExperimentStack, ...]
    seatings: tuple[Seating, ...]
    seed: str
    side: str
    player_code: tuple[PlayerCode, ...] = ()
    engine: str = PYTHON
    counted_games: int = 10  # as many as `compare` counts

    def plan(self) -> ExperimentPlan:
        """Return the plan of the games, as data that can be sent to other processes."""
        graphs = tuple(pickle.dumps(stack.graph) for stack in self.stacks)
        return ExperimentPlan(
            graphs,
            self.seatings,
            self.seed,
            counted_games=self.counted_games,
            code_of=known_code,
            watched=self.watched_changes() if self.counted_games else tuple(() for _ in self.stacks),
            player_of=Roster(self.player_code),
            clock=monotonic,
            members=budget_limit(),
            module_of=_cached_module if self.engine == NATIVE else None,
        )

    def pairings(self) -> tuple[StackPair, ...]:
        """Return the pairs of stacks that are compared."""
        pairings = []
        for number, stack in enumerate(self.stacks):
            for baseline in stack.baselines:
                leads = largest_lead(self.stacks[baseline].graph), largest_lead(stack.graph)
                most = None if None in leads else max(lead for lead in leads if lead is not None)
                pairings.append(StackPair(baseline, number, most))
        return tuple(pairings)

    @cached_property
    def changes(self) -> tuple[Changes, ...]:
        """Return the changes between the stacks of every pair."""
        return tuple(changes_of(self.stacks[p.first].graph, self.stacks[p.second].graph) for p in self.pairings())

    def watched_changes(self) -> tuple[tuple[str, ...], ...]:
        """Return the keys to watch in each stack: those changed in any of its pairs."""
        keys: list[set[str]] = [set() for _ in self.stacks]
        for pairing, found in zip(self.pairings(), self.changes, strict=True):
            for number, changed_keys in zip((pairing.first, pairing.second), watched_keys(found), strict=True):
                keys[number] |= changed_keys
        return tuple(tuple(sorted(key)) for key in keys)

    def heading(self) -> ExperimentHeading:
        """Return the heading of the results, with everything that they depend on."""
        stacks = tuple((stack.name, play_digest(stack.graph)) for stack in self.stacks)
        code = tuple((each.name, each.version) for each in self.player_code)
        return ExperimentHeading(
            VERSION,
            self.stacks[0].card,
            stacks,
            self.seatings,
            self.seed,
            engine_version(),
            players_version(),
            code,
            self.counted_games,
            budget_limit(),
        )

    def tally(self) -> Tally:
        """Return an empty tally."""
        names = tuple(stack.name for stack in self.stacks)
        return Tally(
            names,
            self.pairings(),
            self.side,
            len(self.seatings),
            list_duels(self.seatings),
            self.changes,
            counted_game_limit=self.counted_games,
        )

    def sides(self) -> dict[str, str]:
        """Return the sides in the order of the card, with their noun phrases."""
        rules = self.stacks[0].graph
        return {side: words.side(side, rules.vocabulary) for side in (rules.scenario.order if rules.scenario else ())}

    def players(self) -> tuple[str, ...]:
        """Return the names of the seatings: a single name if all sides have the same player."""
        return tuple(
            seating[0][1] if len({name for _, name in seating}) == 1 else ",".join(name for _, name in seating)
            for seating in self.seatings
        )

    def run(
        self,
        games: int,
        pool: WorkerPool,
        progress: ProgressListener,
        until: StoppingRule | None = None,
        results: Results | None = None,
        on_row: Callable[[Row], None] = lambda _: None,
    ) -> Summary:
        """Read stored results and play further games, up to the number of games or the stopping rule.

        `progress` is called with the number of stored games first, then after each played game; `on_row` with each row.
        """
        until = until or StoppingRule()
        tally, stopped = self.tally(), ""
        playing = False

        def begin(stored_count: int) -> None:
            nonlocal playing
            playing = True
            progress(stored_count, games)

        for row in self.rows(games, pool, results, begin):
            tally.add(row)
            on_row(row)
            if playing:
                progress(tally.games, games)
            if is_interim_look(until, tally.games):
                stopped = stop_reason(until, compute_differences(tally, self.players(), self.sides()))
            if stopped:
                break
        return summarize_results(tally, self.players(), self.sides(), stopped, until)

    def compile(self) -> None:
        """Compile the modules of all stacks, so that worker processes of this machine load them from the cache."""
        from runtime.engine.module import MemoryLimitError  # noqa: PLC0415 -- it imports wasmtime
        from runtime.experiment.native_series import why_not_native  # noqa: PLC0415

        for stack, keys in zip(self.stacks, self.plan().watched, strict=True):
            game = game_of(stack.graph)
            if not all(why_not_native(dict(seating)) for seating in self.seatings):
                with suppress(MemoryLimitError):  # A module that is too large is reported by the games that need it.
                    _cached_module(game, watched_parts(stack.graph, keys) if keys else None)

    def rows(
        self, games: int, pool: WorkerPool, results: Results | None, begin: Callable[[int], None]
    ) -> Iterator[Row]:
        """Yield all rows in order; `begin` is called with the number of stored rows before the first game is played.

        A row with a game whose budget was spent is the last one, also when it was stored: further games would take as
        long.
        """
        stored_count = 0
        if results:
            for row in islice(results.stored_rows(), games):
                stored_count += 1
                yield row
                if _is_last(row):
                    begin(stored_count)
                    return
        begin(stored_count)
        if self.engine == NATIVE and stored_count < games and pool.workers > 1:
            self.compile()
        playing = play_range(pool, self.plan(), stored_count, games)
        for number, row in enumerate(playing, start=stored_count):
            if results:
                results.write(number, row)
            yield row
            if _is_last(row):
                return


def _is_last(row: Row) -> bool:
    return any(game.exhausted for outcomes in row for game in outcomes)


def _cached_module(game: Game, watched: CountRequest | None) -> "CompiledModule":
    """Return the module of a game, from the cache or by compiling it."""
    from rulewright.library.compiled_modules import module_of  # noqa: PLC0415 -- it imports wasmtime

    return module_of(game, watched)


def seating_rotations(seating: Seating, sides: tuple[str, ...]) -> tuple[Seating, ...]:
    """Return the rotations of a seating, so that every player plays every side once, without duplicates."""
    names = [dict(seating)[side] for side in sides]
    turns = (tuple(zip(sides, names[shift:] + names[:shift], strict=True)) for shift in range(len(names)))
    return tuple(dict.fromkeys(turns))
