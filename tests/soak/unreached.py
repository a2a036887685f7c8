"""The reasons why some rules are never live in a soak, read from `unreached.yaml`."""

from collections import Counter
from pathlib import Path
from typing import NamedTuple

import yaml

FILE = Path(__file__).parent / "unreached.yaml"


class Unreached(NamedTuple):
    """Rules that share a reason."""

    why: str
    rules: tuple[str, ...]


def reasons() -> dict[str, str]:
    """Return the reason of each rule by its label."""
    return {label: entry.why for entry in entries() for label in entry.rules}


def twice() -> list[str]:
    """Return the labels with two reasons."""
    named = Counter(label for entry in entries() for label in entry.rules)
    return sorted(label for label, times in named.items() if times > 1)


def entries() -> list[Unreached]:
    """Read the file."""
    return [
        Unreached(entry["why"], tuple(entry["rules"])) for entry in yaml.safe_load(FILE.read_text(encoding="utf-8"))
    ]
