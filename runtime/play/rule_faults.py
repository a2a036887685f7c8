"""What only play can find wrong with rules: a procedure that cannot go on.

Analysis proves much, but not that an offer ever closes or that a set to choose from is never
empty. Such a game stops with `BrokenRules`, which the front end shows as a finding; like a gap
or a clash at run time it names what is to blame.
"""

from dataclasses import dataclass

from runtime.graph import nodes as graph
from runtime.graph.budget import budget_limit
from runtime.play.instructions import Program
from runtime.state.position import State


@dataclass(frozen=True, slots=True)
class Fault:
    """A bug of the rules met in play: what happened, in which procedure, when. `origin` None: no procedure ran.

    `out_of_range` is what a number was put into that its declared range excludes, "" for any other fault.
    """

    message: str
    procedure: str
    origin: graph.Origin | None
    turn: int
    player: str
    phase: str
    out_of_range: str = ""

    @property
    def procedure_name(self) -> str:
        """Name the procedure as people do: `resolution tide`, `hook entered`."""
        return self.procedure.partition("#")[0].replace(":", " ")


class BrokenRules(Exception):  # noqa: N818 - not an error of the program, but a finding about the rules.
    """Stops a game whose rules cannot go on."""

    def __init__(self, fault: Fault) -> None:
        """Keep the facts; the message is one sentence."""
        super().__init__(fault)
        self.fault = fault

    def __str__(self) -> str:
        fault = self.fault
        where = f" in {fault.procedure_name}" if fault.procedure_name else ""
        return f"{fault.message}{where} (turn {fault.turn}{f', {fault.phase}' if fault.phase else ''})"


class NoOpenOption(BrokenRules):
    """Whoever is asked has nothing to choose, and may not pass."""


class TooMuchToPlay(BrokenRules):
    """What is to be carried out takes more work than a decision may."""


def too_much() -> str:
    """State that a budget (graph/budget.py) is used up."""
    return f"to find what may be done, sets are passed over with more than {budget_limit():,} members in all"


def broken_rules(
    state: State,
    program: Program | None,
    message: str,
    sort: type[BrokenRules] = BrokenRules,
    out_of_range: str = "",
) -> BrokenRules:
    """Return what is wrong, in which procedure, and when."""
    key, origin = (program.key, program.procedure.origin) if program else ("", None)
    return sort(Fault(message, key, origin, state.turn, state.player, state.phase, out_of_range))
