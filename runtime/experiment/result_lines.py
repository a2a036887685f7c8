"""Encode the results of an experiment as lines of JSON, and decode them.

The heading contains what every line below depends on, and nothing else: neither the number of games, nor the processes
that play them, nor the stopping rule. So an interrupted experiment can be resumed, a finished one can be extended, and
both end with the same bytes as one that was never interrupted.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from fractions import Fraction
from typing import Any

from runtime.experiment.game_outcome import Outcome
from runtime.experiment.plan import HEARD, Row
from runtime.graph.budget import MOST_MEMBERS
from runtime.graph.unsettled_offer import UnsettledOffer

# Incremented whenever a line changes its meaning.
VERSION = 3
# No game counts further; a longer number cannot be added up as a decimal.
MOST_COUNTED = 10**12


@dataclass(frozen=True, slots=True)
class ExperimentHeading:
    """The heading of an experiment: the card, the stacks with the hashes of their graphs, seatings, seed, and versions.

    `engine` and `built_in` are the versions of the engine and of its built-in players, `code` that of each player with
    external code, by name. `heard` is the number of games in which rules are counted, `members` the budget of a
    decision.
    """

    version: int
    scenario: str
    stacks: tuple[tuple[str, str], ...]
    players: tuple[tuple[tuple[str, str], ...], ...]
    seed: str
    engine: str = ""
    built_in: str = ""
    code: tuple[tuple[str, str], ...] = ()
    heard: int = HEARD
    members: int = MOST_MEMBERS


def heading_line(heading: ExperimentHeading) -> str:
    """Encode the heading; the number of games in which rules are counted and the budget are omitted if default."""
    written = asdict(heading)
    for name, default in (("heard", HEARD), ("members", MOST_MEMBERS)):
        if written[name] == default:
            del written[name]
    return _line({"experiment": written})


def row_line(number: int, row: Row) -> str:
    """Encode the results of one game number."""
    return _line({"game": number, "results": [[_outcome_data(game) for game in games] for games in row]})


def _line(value: Any) -> str:
    # A level may be a half: fractions are encoded as text.
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


# The results are the same for all engines and numbers of games; `unsettled` is that of the engine that played.
KEPT = tuple(each.name for each in fields(Outcome) if each.name != "by_machine")


def _outcome_data(game: Outcome) -> dict[str, Any]:
    """Encode an outcome without empty fields."""
    return {name: value for name in KEPT if (value := getattr(game, name)) not in ("", None, (), False)}


def read_row(line: str | bytes, number: int, heading: ExperimentHeading) -> Row | None:
    """Decode the results of this game number under a heading; None if the line is malformed or of other games."""
    try:
        found = json.loads(line)
        row = tuple(tuple(map(_outcome, games)) for games in found["results"])
        is_whole = len(row) == len(heading.players) and all(len(games) == len(heading.stacks) for games in row)
        is_possible = is_whole and all(
            _is_possible(game, [side for side, _ in seating])
            for seating, games in zip(heading.players, row, strict=True)
            for game in games
        )
        return row if found["game"] == number and is_possible else None
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def _is_possible(game: Outcome, sides: Sequence[str]) -> bool:
    """Return whether the sides of an outcome are those of its game, its names texts, and its counts whole numbers.

    Losses may be negative: a side gains counters of one kind where it loses those of another.
    """
    counts = (game.turn, game.choices)
    uses = (count for _, *counts in game.used for count in counts)
    owners = {side for side, _, _ in game.losses}
    names = (game.seed, game.fault, *(name for _, name, _ in game.losses))
    names += tuple(text for each in game.unsettled for text in (each.file, *each.actions))
    counts += tuple(count for each in game.unsettled for count in (each.line, each.decisions, each.options))
    names += tuple(name for name, _, _, _ in game.used)
    levels = (*(() if game.level is None else (game.level,)), *(level for _, level in game.levels))
    return (
        all(isinstance(name, str) for name in (*names, *owners))
        and isinstance(game.exhausted, bool)
        and {game.winner, *(side for side, _ in game.levels)} <= {"", *sides}
        and all(isinstance(level, int | Fraction) and _is_counted(level) for level in levels)
        and all(isinstance(count, int) and _is_counted(count) for *_, count in game.losses)
        and all(isinstance(count, int) and 0 <= count <= MOST_COUNTED for count in (*counts, *uses))
    )


def _is_counted(number: int | Fraction) -> bool:
    return abs(number.numerator) <= MOST_COUNTED and number.denominator <= MOST_COUNTED


_EMPTY: dict[str, Any] = {
    "winner": "",
    "level": None,
    "levels": (),
    "losses": (),
    "fault": "",
    "used": (),
    "unsettled": (),
}


def _outcome(found: dict[str, Any]) -> Outcome:
    """Decode an outcome."""
    arguments = {**_EMPTY, **found}
    arguments["level"] = _level(arguments["level"])
    arguments["levels"] = [(side, _level(level)) for side, level in arguments["levels"]]
    arguments |= {name: tuple(map(tuple, arguments[name])) for name in ("levels", "losses", "used")}
    arguments["unsettled"] = tuple(UnsettledOffer(tuple(actions), *rest) for actions, *rest in arguments["unsettled"])
    return Outcome(**arguments)


def _level(written: int | str | None) -> int | Fraction | None:
    """Decode a level."""
    return Fraction(written) if isinstance(written, str) else written


def heading_difference(line: str, heading: ExperimentHeading) -> str:
    """Return how a heading differs from the wanted one; "" if it does not."""
    expected = json.loads(heading_line(heading))["experiment"]
    try:
        found = json.loads(line)["experiment"]
        differing_names = [name for name in dict.fromkeys((*expected, *found)) if found.get(name) != expected.get(name)]
        if "version" in differing_names:
            return f"its lines are of format {found.get('version')}, and this release writes format {heading.version}"
        if "stacks" in differing_names and _stack_names(found) == _stack_names(expected):
            return "its rules have been edited since"
        return "; ".join(_difference_text(name, found, expected) for name in differing_names)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return "it does not begin as results do"


def _stack_names(heading: dict[str, Any]) -> list[str]:
    return [name for name, _ in heading["stacks"]]


PLAYED_BY = {"engine": "another engine", "built_in": "other players of Rulewright"}


def _difference_text(name: str, found: dict[str, Any], expected: dict[str, Any]) -> str:
    """Format how one part of two headings differs."""
    if name in PLAYED_BY:
        old_value = found.get(name) or "of a release that noted none"
        return f"it was played with {PLAYED_BY[name]}: {old_value}, now {expected[name]}"
    if name == "code":
        old, new = (dict(part.get("code") or ()) for part in (found, expected))
        changed = [player for player in old.keys() | new.keys() if old.get(player) != new.get(player)]
        return f"the code of player {', '.join(sorted(changed))} is not what it was played with"
    if name == "heard":
        old_value, new_value = (part.get(name, HEARD) for part in (found, expected))
        return (
            f"rules are counted in its first {old_value} games, not in "
            f"{new_value}: `--heard {old_value}` goes on with it"
        )
    if name == "members":
        old_value, new_value = (part.get(name, MOST_MEMBERS) for part in (found, expected))
        members = f"{old_value:,} members, not {new_value:,}"
        return f"a decision could pass over {members}: `--steps {old_value}` goes on with it"
    if name == "stacks":
        old_value, new_value = (" and ".join(_stack_names(part)) for part in (found, expected))
        return f"it was played under {old_value}, not {new_value}"
    return (
        f"its {name} {'are' if name == 'players' else 'is'} {_line(found.get(name))}, not {_line(expected.get(name))}"
    )
