"""Requests of a player at the terminal: options to take, to undo, to let the greedy player finish, to leave."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TakeOptions:
    """A request to take options, one per decision."""

    options: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class UndoCommand:
    """A request to undo the last choice."""


@dataclass(frozen=True, slots=True)
class AutoCommand:
    """A request that the greedy player finish the phase."""


@dataclass(frozen=True, slots=True)
class LeaveCommand:
    """A request to leave the game."""


PlayerRequest = TakeOptions | UndoCommand | AutoCommand | LeaveCommand
