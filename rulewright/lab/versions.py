"""The versions of the engine and of the players, which results contain, so that those of different ones are not mixed.

In: the installed runtime. Out: versions as text: the release and a hash of the files that determine games.
"""

import hashlib
from functools import cache
from pathlib import Path

import runtime
from rulewright import __version__

# The packages that determine a game, apart from rules and players.
ENGINE = ("graph", "answer", "board", "state", "play", "experiment")
PLAYERS = ("players",)
SHOWN_HASH_DIGITS = 12  # of the digits of a hash


@cache  # A process does not load its code again when the files change.
def version_of(packages: tuple[str, ...]) -> str:
    """Return the release, and a hash of the files of some packages of the runtime at the first call in this process."""
    top = Path(runtime.__file__).parent
    digest = hashlib.sha256()
    for package in packages:
        for file in sorted((top / package).rglob("*.py")):
            digest.update(file.relative_to(top).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return f"{__version__} ({digest.hexdigest()[:SHOWN_HASH_DIGITS]})"


def engine_version() -> str:
    """Return the version of this engine."""
    return version_of(ENGINE)


def players_version() -> str:
    """Return the version of the players in this release."""
    return version_of(PLAYERS)
