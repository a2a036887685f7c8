"""The parties of a finding: the constructs it is about, and where they stand."""

from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Party:
    """A party of a finding: a rule, row, ruling or procedure. `says` is its conclusion in words."""

    label: str
    says: str
    cites: tuple[str, ...]
    origin: graph.Origin


@dataclass(frozen=True, slots=True)
class StepPlace:
    """The position of a step in a procedure: its number, inner steps counted where they stand; of how many; its class.

    The graph has no spans of steps; with the texts, the step is found by this (report/steps.py). A phase that
    holds the step, "" if none, may have been written apart from its sequence: then `inside` counts its steps alone.
    """

    number: int
    of: int
    what: str
    phase: str = ""
    inside: tuple[int, int] = (0, 0)
