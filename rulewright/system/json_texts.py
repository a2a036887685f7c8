"""Decode JSON that somebody else wrote: a request of a browser, or a file that may be damaged."""

import json
from typing import Any

# How deep lists and objects may be nested; what is written here stays below ten.
DEEPEST = 50


def decode_json(text: str | bytes) -> Any:
    """Decode JSON; `ValueError` also if lists or objects are nested too deeply to be read, or written again."""
    try:
        found = json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    level = [found]
    for _ in range(DEEPEST):
        level = [
            inner for each in level if isinstance(each, list | dict)
            for inner in (each.values() if isinstance(each, dict) else each)
        ]  # fmt: skip
        if not level:
            return found
    raise ValueError("nested too deeply")
