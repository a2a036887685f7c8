"""Who watches a game as it is carried out, and changes nothing: for counting what players are asked and do."""

from typing import TYPE_CHECKING, Protocol

from runtime.play.playthrough import Call, Playthrough

if TYPE_CHECKING:
    from runtime.play.choices import Asked


class Tracer(Protocol):
    """Told of what is carried out; what players try out for themselves it is not told of."""

    def asked(self, playthrough: Playthrough, call: Call, asked: "Asked") -> None:
        """Somebody is asked, whether or not there is more than one answer."""
        ...

    def taken(self, playthrough: Playthrough, action: str) -> None:
        """An action was taken."""
        ...

    def called(self, key: str) -> None:
        """A resolution or a hook begins."""
        ...

    def carried_out(self, playthrough: Playthrough, call: Call) -> None:
        """An instruction of the sequence of play begins that enters a phase or calls a resolution."""
        ...
