"""What became of choices that words name: who asked for them, and which actions were not open with them.

In: the choices of an example or a record, while they are carried out (perform.py). Out: a `NamedChoiceUse`.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from runtime.play.playthrough import Playthrough
from runtime.play.refusal_reason import RefusalReason
from runtime.play.scripted_choices import Chosen, ScriptedChoices


@dataclass(frozen=True, slots=True)
class ClosedAction:
    """An action that was offered on the way, could not be taken with what was to be chosen in it, and why.

    `at` is the instruction that it got to.
    """

    action: str
    refused: RefusalReason
    playthrough: Playthrough
    at: int = 0

    @property
    def progress(self) -> tuple[int, bool]:
        """Return how far it got; a member that a condition keeps out got farther than one that is not looked at."""
        return self.at, self.refused.condition is not None


@dataclass(frozen=True, slots=True)
class NamedChoiceUse:
    """What became of choices that were named: in which procedures they were asked for, and what was not open."""

    procedures_asking: dict[str, dict[str, None]] = field(default_factory=dict)
    closed: dict[str, ClosedAction] = field(default_factory=dict)

    def ask(self, chosen: Chosen, name: str, key: str) -> None:
        """Note that somebody is asked in a procedure for what is given under a name."""
        self.procedures_asking.setdefault(name, {})[key] = None
        if isinstance(chosen, ScriptedChoices) and name in chosen:
            chosen.ask(name, key)

    def first_closed(self, names: Iterable[str]) -> ClosedAction | None:
        """Return the action in which one of these was to be chosen and nobody was asked to; None if there is none."""
        return next(
            (self.closed[name] for name in names if name in self.closed and name not in self.procedures_asking), None
        )

    def is_farthest(self, name: str, closed: ClosedAction) -> bool:
        """Return whether no action that would have asked for this choice got as far as this one."""
        return name not in self.closed or closed.progress > self.closed[name].progress
