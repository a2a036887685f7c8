"""Encode the results of an experiment as lines of JSON, and decode them.

The heading contains what every line below depends on, and nothing else: neither the number of games, nor the processes
that play them, nor the stopping rule. So an interrupted experiment can be resumed, a finished one can be extended, and
both end with the same bytes as one that was never interrupted.
"""

import json
from dataclasses import asdict, dataclass, fields
from fractions import Fraction
from typing import Any

from runtime.experiment.outcome import Outcome
from runtime.experiment.plan import HEARD, Row
from runtime.graph.unsettled_offer import UnsettledOffer

# Incremented whenever a line changes its meaning.
VERSION = 2


@dataclass(frozen=True, slots=True)
class Heading:
    """The heading of an experiment: the card, the stacks with the hashes of their graphs, seatings, seed, and versions.

    `engine` and `built_in` are the versions of the engine and of its built-in players, `code` that of each player with
    external code, by name. `heard` is the number of games in which rules are counted.
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


def heading_line(heading: Heading) -> str:
    """Encode the heading; the number of games in which rules are counted is omitted if it is the default."""
    written = asdict(heading)
    if heading.heard == HEARD:
        del written["heard"]
    return _line({"experiment": written})


def row_line(number: int, row: Row) -> str:
    """Encode the results of one game number."""
    return _line({"game": number, "results": [[_outcome_data(game) for game in games] for games in row]})


def _line(value: Any) -> str:
    # A level may be a half: fractions are encoded as text.
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


# The results are the same for all engines and numbers of games; `unsettled` is that of the engine that played.
KEPT = tuple(each.name for each in fields(Outcome) if each.name not in ("by_machine", "exhausted"))


def _outcome_data(game: Outcome) -> dict[str, Any]:
    """Encode an outcome without empty fields."""
    return {name: value for name in KEPT if (value := getattr(game, name)) not in ("", None, ())}


def read_row(line: str, number: int) -> Row | None:
    """Decode the results of this game number; None if the line is malformed."""
    try:
        found = json.loads(line)
        if found["game"] != number:
            return None
        return tuple(tuple(map(_outcome, games)) for games in found["results"])
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


_EMPTY: dict[str, Any] = {
    "winner": "",
    "level": None,
    "levels": (),
    "losses": (),
    "fired": (),
    "fault": "",
    "used": (),
    "unsettled": (),
}


def _outcome(found: dict[str, Any]) -> Outcome:
    """Decode an outcome."""
    given = {**_EMPTY, **found}
    given["level"] = _level(given["level"])
    given["levels"] = [(side, _level(level)) for side, level in given["levels"]]
    given |= {name: tuple(map(tuple, given[name])) for name in ("levels", "losses", "fired", "used")}
    given["unsettled"] = tuple(UnsettledOffer(tuple(actions), *rest) for actions, *rest in given["unsettled"])
    return Outcome(**given)


def _level(written: int | str | None) -> int | Fraction | None:
    """Decode a level."""
    return Fraction(written) if isinstance(written, str) else written


def heading_difference(line: str, wanted: Heading) -> str:
    """Return how a heading differs from the wanted one; "" if it does not."""
    there = json.loads(heading_line(wanted))["experiment"]
    try:
        found = json.loads(line)["experiment"]
        apart = [name for name in dict.fromkeys((*there, *found)) if found.get(name) != there.get(name)]
        if "version" in apart:
            return f"its lines are of format {found.get('version')}, and this release writes format {wanted.version}"
        if "stacks" in apart and _stack_names(found) == _stack_names(there):
            return "its rules have been edited since"
        return "; ".join(_difference_text(name, found, there) for name in apart)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return "it does not begin as results do"


def _stack_names(heading: dict[str, Any]) -> list[str]:
    return [name for name, _ in heading["stacks"]]


PLAYED_BY = {"engine": "another engine", "built_in": "other players of Rulewright"}


def _difference_text(name: str, found: dict[str, Any], there: dict[str, Any]) -> str:
    """Format how one part of two headings differs."""
    if name in PLAYED_BY:
        was = found.get(name) or "of a release that noted none"
        return f"it was played with {PLAYED_BY[name]}: {was}, now {there[name]}"
    if name == "code":
        old, new = (dict(part.get("code") or ()) for part in (found, there))
        changed = [player for player in old.keys() | new.keys() if old.get(player) != new.get(player)]
        return f"the code of player {', '.join(sorted(changed))} is not what it was played with"
    if name == "heard":
        was, now = (part.get(name, HEARD) for part in (found, there))
        return f"rules are counted in its first {was} games, not in {now}: `--heard {was}` goes on with it"
    if name == "stacks":
        was, now = (" and ".join(_stack_names(part)) for part in (found, there))
        return f"it was played under {was}, not {now}"
    return f"its {name} {'are' if name == 'players' else 'is'} {_line(found.get(name))}, not {_line(there.get(name))}"
