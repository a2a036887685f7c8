"""Encode the results of an experiment as lines of JSON, and decode them.

The heading contains what every line below depends on, and nothing else: neither the number of games, nor the processes
that play them, nor the stopping rule. So an interrupted experiment can be resumed, a finished one can be extended, and
both end with the same bytes as one that was never interrupted.
"""

import json
from dataclasses import asdict, fields
from fractions import Fraction
from hashlib import sha256
from typing import Any

from runtime.experiment.game_outcome import Outcome
from runtime.experiment.plan import Row
from runtime.graph.budget import MOST_MEMBERS
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.unsettled_offer import UnsettledOffer

# Incremented whenever a line changes its meaning.
VERSION = 6
CHECKSUM_DIGITS = 12


@frozen_dataclass
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
    heard: int = 0
    members: int = MOST_MEMBERS


def heading_line(heading: ExperimentHeading) -> str:
    """Encode the heading."""
    return _line({"experiment": asdict(heading)})


def row_line(number: int, row: Row, heading: ExperimentHeading) -> str:
    """Encode the results of one game number, with a checksum of the line and of the heading."""
    text = _line({"game": number, "results": [[_outcome_data(game) for game in games] for games in row]})
    return f'{{"check":"{_checksum(text, heading)}",{text[1:]}'


def _checksum(text: str, heading: ExperimentHeading) -> str:
    return sha256(f"{heading_line(heading)}\n{text}".encode()).hexdigest()[:CHECKSUM_DIGITS]


def _line(value: Any) -> str:
    # A level may be a half: fractions are encoded as text.
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


# The results are the same for all engines and numbers of games; `unsettled` is that of the engine that played.
KEPT = tuple(field.name for field in fields(Outcome) if field.name != "by_machine")


def _outcome_data(game: Outcome) -> dict[str, Any]:
    """Encode an outcome without empty fields."""
    return {name: value for name in KEPT if (value := getattr(game, name)) not in ("", None, (), False)}


def read_row(line: str | bytes, number: int, heading: ExperimentHeading) -> Row | None:
    """Decode the results of this game number under a heading; None if the line is not as `row_line` wrote it."""
    whole = (line.decode(errors="replace") if isinstance(line, bytes) else line).strip()
    check, _, rest = whole.removeprefix('{"check":"').partition('",')
    text = f"{{{rest}"
    if check != _checksum(text, heading):
        return None
    try:
        data = json.loads(text)
        row = tuple(tuple(map(_outcome, games)) for games in data["results"])
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return row if data["game"] == number else None


def _outcome(found: dict[str, Any]) -> Outcome:
    """Decode an outcome."""
    arguments: dict[str, Any] = {name: tuple(map(tuple, found.get(name, ()))) for name in ("losses", "used")}
    levels = [(side, Fraction(level) if isinstance(level, str) else level) for side, level in found.get("levels", ())]
    unsettled = [UnsettledOffer(tuple(actions), *rest) for actions, *rest in found.get("unsettled", ())]
    arguments |= {"levels": tuple(levels), "unsettled": tuple(unsettled)}
    return Outcome(**{**found, **arguments})


# What the parts of a heading are called where two headings differ.
PARTS = {
    "version": "another format of lines, or other dice of the same seeds",
    "scenario": "another situation",
    "stacks": "other rules, or the rules have been edited since",
    "players": "other players",
    "seed": "another seed",
    "engine": "another engine",
    "built_in": "other players of Rulewright",
    "code": "other code of players",
    "heard": "another `--heard`",
    "members": "another `--steps`",
}


def heading_difference(line: str, heading: ExperimentHeading) -> str:
    """Return how a heading differs from the wanted one; "" if it does not."""
    expected = json.loads(heading_line(heading))["experiment"]
    try:
        written = dict(json.loads(line)["experiment"])
    except (ValueError, TypeError, KeyError, RecursionError):
        return "it does not begin as results do"
    names = (name for name in PARTS if written.get(name) != expected.get(name))
    return "; ".join(f"{PARTS[name]} ({_line(written.get(name))}, now {_line(expected[name])})" for name in names)
