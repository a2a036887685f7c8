"""The interface of tracers, which observe the execution of a game."""

from typing import TYPE_CHECKING, Protocol

from runtime.play.playthrough import Playthrough, ProcedureFrame

if TYPE_CHECKING:
    from runtime.play.choices import Site


class Tracer(Protocol):
    """The callbacks of execution; trials of players are not traced."""

    def decision_reached(self, playthrough: Playthrough, call: ProcedureFrame, site: "Site") -> None:
        """Called at an offer or choice, also with a single option."""
        ...

    def action_taken(self, playthrough: Playthrough, action: str) -> None:
        """Called after an action was taken."""
        ...

    def procedure_called(self, key: str) -> None:
        """Called when a resolution or a hook begins."""
        ...

    def record_sequence_step(self, playthrough: Playthrough, call: ProcedureFrame, number: int) -> None:
        """Called before a step of the sequence of play that enters a phase or calls a resolution."""
        ...
