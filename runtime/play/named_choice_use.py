"""The use of named choices: the procedures that asked for them, and the actions that were closed to them.

In: the choices of an example or a record, during their execution (perform.py). Out: a `NamedChoiceUse`.
"""

from collections.abc import Iterable
from dataclasses import field

from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.play.playthrough import Playthrough
from runtime.play.refusal_parts import RefusalReason
from runtime.play.scripted_choices import ChosenValues, ScriptedChoices


@frozen_dataclass
class ClosedAction:
    """An offered action that could not be taken with the named choices, and the reason.

    `offset` is the number of the step that it reached.
    """

    action: str
    refused: RefusalReason
    playthrough: Playthrough
    offset: int = 0

    @property
    def progress(self) -> tuple[int, bool]:
        """Return a sort key of progress; a member that a condition rejects is ahead of one that is no candidate."""
        return self.offset, self.refused.condition is not None


@frozen_dataclass
class NamedChoiceUse:
    """The use of named choices: the procedures that asked for each, and the closed actions."""

    procedures_asking: dict[str, dict[str, None]] = field(default_factory=dict)
    closed_actions: dict[str, ClosedAction] = field(default_factory=dict)

    def ask(self, chosen: ChosenValues, name: str, key: str) -> None:
        """Record that a procedure asks for the choice with this name."""
        self.procedures_asking.setdefault(name, {})[key] = None
        if isinstance(chosen, ScriptedChoices) and name in chosen:
            chosen.ask(name, key)

    def first_closed(self, names: Iterable[str]) -> ClosedAction | None:
        """Return the closed action of the first of these names that no procedure asked for; None if there is none."""
        return next(
            (
                self.closed_actions[name]
                for name in names
                if name in self.closed_actions and name not in self.procedures_asking
            ),
            None,
        )

    def is_farthest(self, name: str, closed: ClosedAction) -> bool:
        """Return whether this action got farther than any other that would have asked for this choice."""
        return name not in self.closed_actions or closed.progress > self.closed_actions[name].progress
