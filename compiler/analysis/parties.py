"""Who has a part in a finding, and where it stands."""

from runtime.graph import nodes as graph
from runtime.graph.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Party:
    """Somebody with a part in a finding: a rule, row, ruling or procedure. `says` is its conclusion in words."""

    label: str
    says: str
    cites: tuple[str, ...]
    origin: graph.Origin


@dataclass(frozen=True, slots=True)
class StepAt:
    """Which step of a procedure is meant: its number, inner steps counted where they stand; of how many; its class.

    The graph does not say where a step was written; who has the texts can tell by this (report/steps.py). A phase that
    holds the step, "" if none, may have been written apart from its sequence: then `inside` counts its steps alone.
    """

    number: int
    of: int
    what: str
    phase: str = ""
    inside: tuple[int, int] = (0, 0)
