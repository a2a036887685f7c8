"""The closures of the steps of a graph's programs, and those that notify a listener before a step.

In: programs, and the closure of each step as it is first needed. Out: closures by program and number of step.
"""

from runtime.play.accounts import Accounts
from runtime.play.playthrough import Playthrough, ProcedureFrame
from runtime.play.programs import Programs
from runtime.play.step_closures import Closure
from runtime.play.tracer import Tracer


class ClosureTable(dict[str, list[Closure | None]]):
    """The closures of the steps of each program, created on demand; None where one was not needed yet."""

    def __init__(self, programs: Programs) -> None:
        """Start without closures."""
        super().__init__()
        self.programs = programs

    def __missing__(self, key: str) -> list[Closure | None]:
        found = self[key] = [None] * len(self.programs.entries[key].steps)
        return found


def traced_closure(tracer: Tracer, inner: Closure, number: int) -> Closure:
    """Return a closure that notifies a tracer before it executes a step."""

    def closure(playthrough: Playthrough, call: ProcedureFrame) -> None:
        tracer.record_sequence_step(playthrough, call, number)
        inner(playthrough, call)

    return closure


def with_account(accounts: Accounts, inner: Closure, number: int) -> Closure:
    """Return the closure of a step before which the account of its procedure begins."""

    def closure(playthrough: Playthrough, call: ProcedureFrame) -> None:
        accounts.begin(playthrough, call, number)
        inner(playthrough, call)

    return closure


def player_decides(_: Playthrough, __: ProcedureFrame) -> None:
    """The placeholder closure of offers and choices."""
