"""The places in a game by which choices are numbered and random streams have their keys."""

from typing import NamedTuple


class Phase(NamedTuple):
    """A phase of a player's turn."""

    turn: int
    player: str
    name: str


class Moment(NamedTuple):
    """A choice: its phase, and its index there."""

    phase: Phase
    number: int
