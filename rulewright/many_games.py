"""Play many games of one situation: in a compiled module if possible, otherwise on the machine.

In: a graph with its card, players, a seed. Out: a `Series` with an outcome per game, equal for both engines.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Any

from rulewright.engines import NATIVE, PYTHON, fallback_reasons, require_engine
from rulewright.games import game_of, known_players
from rulewright.progress import ProgressListener
from runtime.experiment.game_outcome import Outcome, play_outcome
from runtime.graph import nodes as graph
from runtime.graph.unsettled_offer import UnsettledOffer, sum_offers
from runtime.play.game import Game

if TYPE_CHECKING:
    from runtime.experiment.native_series import NativeSeries


@dataclass(frozen=True, slots=True)
class Series:
    """The outcomes of games, in the order of their seeds.

    `reasons` counts the games that the machine played although a module was requested, by reason.
    """

    outcomes: tuple[Outcome, ...]
    engine: str
    reasons: Mapping[str, int]

    @property
    def machine_game_count(self) -> int:
        """Return the number of games that the machine played."""
        return len(self.outcomes) if self.engine == PYTHON else sum(self.reasons.values())

    @property
    def fallback_text(self) -> str:
        """Format the reasons why the machine played games."""
        return "; ".join(fallback_reasons(self.reasons))

    @property
    def unsettled_offers(self) -> tuple[UnsettledOffer, ...]:
        """Return the offers whose completability the budget did not always decide."""
        return sum_offers(offer for each in self.outcomes for offer in each.unsettled)

    def count_wins(self) -> dict[str, int]:
        """Return the number of games by winner, "" for none; games with faults are excluded."""
        return dict(Counter(each.winner for each in self.outcomes if not each.fault))


def series_data(series: Series) -> dict[str, Any]:
    """Return a series as data: `games` with `seed`, `winner`, `level`, `turns`, `decisions`, `fault`, and `wins`."""
    games = [
        {
            "seed": each.seed,
            "winner": each.winner or None,
            "level": None if each.level is None else str(each.level),
            "turns": each.turn,
            "decisions": each.choices,
            "fault": each.fault,
        }
        for each in series.outcomes
    ]
    return {
        "games": games, "wins": series.count_wins(), "engine": series.engine, "by_machine": series.machine_game_count,
        "why": series.fallback_text, "reasons": dict(series.reasons),
        "unsettled": [offer.data() for offer in series.unsettled_offers],
    }  # fmt: skip


def ignore_progress(_: int, __: int) -> None:
    """Ignore the progress."""


def play_many(
    rules: graph.Graph,
    names: Mapping[str, str],
    seed: str,
    games: int,
    engine: str,
    moved: ProgressListener = ignore_progress,
) -> Series:
    """Play games with the seeds SEED-0, SEED-1 ..; `moved` is called with the number of games, and the total."""
    require_engine(engine)
    players = {side: known_players(name, {}) for side, name in names.items()}
    game = game_of(rules)
    reasons: Counter[str] = Counter()
    native, reason = (None, "") if engine == PYTHON else series_of(game, names)
    outcomes = []
    for number in range(games):
        named = f"{seed}-{number}"
        found = native.play(named) if native else None
        if found is None:
            if engine == NATIVE:
                reasons[native.stop_reason if native else reason] += 1
            found = play_outcome(game, players, named)
        outcomes.append(found)
        moved(number + 1, games)
        if found.exhausted:
            break  # Further games would take as long.
    return Series(tuple(outcomes), engine, reasons)


def series_of(game: Game, names: Mapping[str, str], *, logs: bool = False) -> "tuple[NativeSeries | None, str]":
    """Return a module for the initial state of a card; None and the reason if that is not possible."""
    require_engine(NATIVE)
    from rulewright.library.compiled_modules import module_of  # noqa: PLC0415 -- only native play needs it
    from runtime.engine.module import MemoryLimitError  # noqa: PLC0415
    from runtime.experiment.native_series import NativeSeries, why_not_native  # noqa: PLC0415

    if reason := why_not_native(names):
        return None, reason
    try:
        series = NativeSeries(game, module_of(game), logs=logs)
        series.seat(names, monotonic)
    except MemoryLimitError as refused:
        return None, str(refused)
    return series, ""
