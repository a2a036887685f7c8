"""Run-time errors of rules: a procedure that cannot continue.

Static analysis does not prove that an offer ends or that the source of a choice is never empty. Such a game stops with
`BrokenRules`, which the front end reports as a finding with the procedure at fault, as it does gaps and clashes.
"""

from runtime.graph import nodes as graph
from runtime.graph.budget import budget_limit
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.play.programs import Program
from runtime.state.position import State


@frozen_dataclass
class Fault:
    """A run-time error: its message, procedure and moment. `origin` is None where no procedure ran.

    `out_of_range` is the track or field for which a number is out of range, "" for any other fault.
    """

    message: str
    procedure: str
    origin: graph.Origin | None
    turn: int
    player: str
    phase: str
    out_of_range: str

    @property
    def procedure_name(self) -> str:
        """Return the procedure as messages name it: `resolution tide`, `hook entered`."""
        return self.procedure.partition("#")[0].replace(":", " ")


# The limit of actions taken in one offer. No phase of a printed game comes near it; an action that changes
# nothing and stays open would otherwise be repeated without end.
OFFER_CAP = 10_000


class BrokenRules(Exception):  # noqa: N818 - not an error of the program, but a finding about the rules.
    """Raised where a game cannot continue by its rules."""

    def __init__(self, fault: Fault) -> None:
        """Store the fault, of which the message is one sentence."""
        super().__init__(fault)
        self.fault = fault

    def __str__(self) -> str:
        fault = self.fault
        location = f" in {fault.procedure_name}" if fault.procedure_name else ""
        return f"{fault.message}{location} (turn {fault.turn}{f', {fault.phase}' if fault.phase else ''})"


class NoOpenOption(BrokenRules):
    """A decision without an option."""


class TooMuchToPlay(BrokenRules):
    """A step exceeds the work budget of a decision."""


def budget_message() -> str:
    """Return the message for an exhausted budget (graph/budget.py)."""
    return f"to find what may be done, sets are passed over with more than {budget_limit():,} members in all"


def endless_offer_text(action: str) -> str:
    """Return the message for an offer in which too many actions were taken."""
    return (
        f"more than {OFFER_CAP:,} actions were taken in one offer, the last of them `{action}`: some leave the position"
        " as it was, or take back what others do, and nothing ends it; `rulewright audit` of the situation names them"
    )


def broken_rules(
    state: State,
    program: Program | None,
    message: str,
    error_class: type[BrokenRules],
    out_of_range: str,
) -> BrokenRules:
    """Return the error with its procedure and moment."""
    key, origin = (program.key, program.procedure.origin) if program else ("", None)
    return error_class(Fault(message, key, origin, state.turn, state.player, state.phase, out_of_range))
