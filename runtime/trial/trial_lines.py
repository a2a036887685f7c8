"""Encode the lines of a trial as JSON, and decode them.

Decoding never stops at a bad line: it returns what it could read and reports what it could not. A truncated last line
is the mark of an aborted game, not an error.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import asdict, fields
from fractions import Fraction
from typing import Any

from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.trial.nodes import TRIAL_VERSION, Choice, Heading, Node, Result, Trial, Undo

# Games of a few thousand choices are long ones; no player is shown more than this many options.
MOST_TRIAL_LINES = 100_000
LARGEST_NUMBER = 10**9
LONGEST_TEXT = 10_000
MOST_DICE = 10_000
MOST_PLAYERS = 100
# More bad lines than these indicate another kind of file.
MOST_BAD = 20
# A fractional level is encoded as text.
_FRACTION = re.compile(r"-?\d{1,40}/[1-9]\d{0,39}")
# The names of a card and a stack: never a path.
_CARD = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*|")
_STACK = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:[+-][A-Za-z0-9_=-]+)*")


@frozen_dataclass
class _BadLine:
    """A malformed line of a trial."""

    line: int
    reason: str


def to_line(node: Node) -> str:
    """Encode a line: keys in order, no spaces, plain text."""
    data = {"what": type(node).__name__.lower(), **asdict(node)}
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), default=str)


def decode_trial(lines: Iterable[str]) -> tuple[Trial | None, list[_BadLine]]:
    """Decode a trial; None if it has no heading."""
    heading: Heading | None = None
    choices: list[Choice] = []
    result: Result | None = None
    problems: list[_BadLine] = []
    for number, line in enumerate(lines, start=1):
        if len(problems) >= MOST_BAD:
            break
        node = _node(line) if number <= MOST_TRIAL_LINES else f"a recorded game has at most {MOST_TRIAL_LINES:,} lines"
        match node:
            case Heading(version=version) if version != TRIAL_VERSION:
                reason = "; the same seed threw other dice then" if version < TRIAL_VERSION else ""
                problems.append(
                    _BadLine(number, f"trials of version {version} are not read here, only {TRIAL_VERSION}{reason}")
                )
            case Heading() if heading is not None:
                problems.append(_BadLine(number, "there is a heading already"))
            case Heading():
                heading = node
            case Choice():
                choices.append(node)
            case Undo(step) if step >= len(choices):
                problems.append(_BadLine(number, f"there is no choice {step} to take back"))
            case Undo(step):
                del choices[step:]
            case Result():
                result = node
            case reason:
                problems.append(_BadLine(number, reason))
    if heading is None:
        return None, problems or [_BadLine(1, "a trial begins with a heading")]
    return Trial(heading, tuple(choices), result), problems


def _node(line: str) -> Node | str:
    """Decode one line, or return what is wrong with it."""
    try:
        found: Any = json.loads(line)
    except json.JSONDecodeError as problem:
        return f"this is not JSON: {problem.msg}"
    except (ValueError, RecursionError):
        return "this is no line of a trial: a number too long, or lists too deep in each other"
    kinds: dict[str, type[Heading] | type[Choice] | type[Undo] | type[Result]] = {
        "heading": Heading, "choice": Choice, "undo": Undo, "result": Result,
    }  # fmt: skip
    tag = found.get("what") if isinstance(found, dict) else None
    kind = kinds.get(tag) if isinstance(tag, str) else None
    if kind is None:
        return "this is neither a heading, a choice, an undo nor a result"
    missing = [field.name for field in fields(kind) if field.name not in found]
    if missing:
        return f"{', '.join(missing)} missing"
    # JSON has no tuples; all other values are decoded as they were encoded.
    values: dict[str, Any] = {field.name: found[field.name] for field in fields(kind)}
    wrong = [name for name, value in values.items() if not _fits(name, value)]
    if wrong:
        return f"{', '.join(wrong)} cannot be read"
    if kind is Choice and values["choice"] >= values["options"]:
        return f"choice {values['choice']} of {values['options']} options is none of them"
    if "dice" in values:
        values["dice"] = tuple(values["dice"])
    if isinstance(values.get("level"), str):
        values["level"] = Fraction(values["level"])
    return kind(**values)


def _fits(name: str, value: Any) -> bool:
    """Return whether the value of a field is valid for its name."""
    match name:
        case "version" | "step" | "turn" | "options" | "choice" | "choices":
            return _is_number(value) and value >= 0
        case "level":
            return value is None or _is_number(value) or (_is_text(value) and bool(_FRACTION.fullmatch(value)))
        case "dice":
            return isinstance(value, list) and len(value) <= MOST_DICE and all(map(_is_number, value))
        case "players":
            named = isinstance(value, dict) and len(value) <= MOST_PLAYERS
            return named and all(_is_text(each) for pair in value.items() for each in pair)
        case "scenario":
            return _is_text(value) and _CARD.fullmatch(value) is not None
        case "stack":
            return _is_text(value) and _STACK.fullmatch(value) is not None
        case _:
            return _is_text(value)


def _is_number(value: Any) -> bool:
    return type(value) is int and abs(value) <= LARGEST_NUMBER


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_TEXT
