"""The tables of docs that come from games: results, options and strength.

In: names of situations and options, and how much is played. Out: rows on disk, each written as soon as it is known.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from typing import Any

from tests.lab.data_table import DataTable, Measured
from tests.lab.effects import EFFECTS, effect
from tests.lab.levels import RESULTS, situation_result
from tests.lab.pairs import options_by_base
from tests.lab.schedule import Schedule, has_other_rules
from tests.lab.strength import MATCHES, SITUATIONS, STRENGTH, match

# The key of a row, and what plays it.
Task = tuple[tuple[str, ...], Callable[[Schedule], Measured]]
TABLES: dict[str, DataTable[Any]] = {table.name: table for table in (RESULTS, EFFECTS, STRENGTH)}


def play_table(
    name: str,
    situations: Sequence[str],
    options: Collection[str],
    schedule: Schedule,
    *,
    is_repeated: bool,
    say: Callable[[str], None],
) -> None:
    """Drop the rows whose rules have changed, and play those that are missing; all if `is_repeated`."""
    table = TABLES[name]
    rows_asked_for = [row for row in table.rows() if row.situation in situations]
    for row in table.drop(lambda row: row in rows_asked_for and has_other_rules(row, schedule.packages)):
        say(f"{name}: dropped {', '.join(row.key)}, whose rules have changed")
    known = {row.key for row in table.rows()}
    for key, play in _tasks(name, situations, options, schedule.player):
        if is_repeated or key not in known:
            row = play(schedule)
            table.record(row)
            say(f"{name}: {row}")


def _tasks(name: str, situations: Sequence[str], options: Collection[str], player: str) -> Iterator[Task]:
    if name == STRENGTH.name:
        for number, (first, second) in enumerate(MATCHES):
            for situation in SITUATIONS:
                if situation in situations:
                    yield (f"{number}", situation), partial(match, situation, first, second)
        return
    for situation in situations:
        if name == RESULTS.name:
            yield (player, situation), partial(situation_result, situation)
            continue
        for base, names in options_by_base(situation, options).items():
            for option in names:
                yield (player, situation, option), partial(effect, situation, base, option)
