"""Progress of a command for a program that started it: one line of JSON on stderr for each step.

It is asked for by the environment variable `PROGRESS`; people at a terminal see a bar instead.
"""

import json
from typing import Any

PROGRESS = "RULEWRIGHT_PROGRESS"
_MARK = "progress "


def progress_line(what: str, done: int, of: int) -> str:
    """Write a step down."""
    return _MARK + json.dumps({"what": what, "done": done, "of": of})


def progress_in(line: str) -> dict[str, Any]:
    """Read a step; {} for a line that is none."""
    if not line.startswith(_MARK):
        return {}
    try:
        found = json.loads(line.removeprefix(_MARK))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
