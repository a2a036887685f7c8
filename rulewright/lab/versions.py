"""The versions of the engine and of the players: results have both, and games by other ones are not mixed with them.

In: the installed runtime. Out: versions as text, the release and a hash of the files that decide how a game goes.
"""

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import runtime
from rulewright import __version__
from rulewright.errors import UsageError

# What decides how a game goes, but for the rules and the players.
ENGINE = ("graph", "answer", "board", "state", "play", "experiment")
PLAYERS = ("players",)
SHOWN = 12  # of the digits of a hash


class OtherEngineError(UsageError):
    """A process that was to play has another engine or other players."""


@cache
def version_of(packages: tuple[str, ...]) -> str:
    """Return the release, and a hash of the files of these packages of the runtime."""
    top = Path(runtime.__file__).parent
    made = hashlib.sha256()
    for package in packages:
        for file in sorted((top / package).rglob("*.py")):
            made.update(file.relative_to(top).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return f"{__version__} ({made.hexdigest()[:SHOWN]})"


def engine_version() -> str:
    """Return the version of this engine."""
    return version_of(ENGINE)


def players_version() -> str:
    """Return the version of the players that come with this release."""
    return version_of(PLAYERS)


@dataclass(frozen=True, slots=True)
class EngineGuard:
    """Asked by every process before it plays: raises `OtherEngineError` unless it plays as the one that sends games."""

    engine: str
    players: str

    def __call__(self) -> None:
        """Hold the versions of this process against those."""
        for what, there, here in (
            ("engine", self.engine, engine_version()),
            ("players", self.players, players_version()),
        ):
            if there != here:
                raise OtherEngineError(
                    f"a worker has another version of the {what} than who sent it games: {here}, not {there}; "
                    "give all workers the same release of Rulewright"
                )
