"""The interface of what records a game as it is carried out and changes nothing: it counts what players may do."""

from typing import TYPE_CHECKING, Protocol

from runtime.play.playthrough import Call, Playthrough

if TYPE_CHECKING:
    from runtime.play.choices import Site


class Tracer(Protocol):
    """Is called for what is carried out, not for what players try out for themselves."""

    def decision_reached(self, playthrough: Playthrough, call: Call, site: "Site") -> None:
        """A decision is reached, whether or not more than one option is open."""
        ...

    def action_taken(self, playthrough: Playthrough, action: str) -> None:
        """An action was taken."""
        ...

    def procedure_called(self, key: str) -> None:
        """A resolution or a hook begins."""
        ...

    def carried_out(self, playthrough: Playthrough, call: Call) -> None:
        """An instruction of the sequence of play begins that enters a phase or calls a resolution."""
        ...
