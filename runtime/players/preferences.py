"""Preferences of the greedy player: by default the `preferring` expressions of the rules."""

from typing import Protocol

from runtime.graph import nodes as graph
from runtime.play.game import Game
from runtime.play.playthrough import Names, Playthrough
from runtime.state.record import Value

PreferenceValue = Value | None  # None: no preference is met on the way.


class Preferences(Protocol):
    """The preferences for the choices of procedures; `key` is the procedure."""

    def has_preference(self, key: str, step: graph.Choose) -> bool:
        """Return whether there may be a preference for a choice."""
        ...

    def member_worth(
        self, game: Game, playthrough: Playthrough, key: str, step: graph.Choose, names: Names
    ) -> PreferenceValue:
        """Return the value of the bound member; None defers to later choices."""
        ...

    def avoids_action(self, action: str) -> bool:
        """Return whether an action is never begun."""
        ...

    def explores_action(self, action: str) -> bool:
        """Return whether an action without a preference is begun where no preferred one is open."""
        ...

    def distinguishing_key(self, member: Value) -> Value:
        """Return a key by which interchangeable pieces off the map differ; None if they do not."""
        ...

    def spares_member(self, playthrough: Playthrough, member: Value) -> bool:
        """Return whether a member is left out of sets where possible."""
        ...


class _RulePreferences:
    """The preferences of the rules: the `preferring` expression of each choice."""

    def has_preference(self, _: str, step: graph.Choose) -> bool:
        """Return whether the choice has a `preferring` expression."""
        return step.preferring is not None

    def member_worth(
        self, game: Game, playthrough: Playthrough, _: str, step: graph.Choose, names: Names
    ) -> PreferenceValue:
        """Evaluate the `preferring` expression."""
        if step.preferring is None:
            return None
        return game.evaluator.evaluate(playthrough.state, step.preferring, names)

    def avoids_action(self, _: str) -> bool:
        """Avoid no action."""
        return False

    def explores_action(self, _: str) -> bool:
        """Explore no action."""
        return False

    def distinguishing_key(self, _: Value) -> Value:
        """Return None: interchangeable pieces do not differ."""
        return None

    def spares_member(self, _: Playthrough, __: Value) -> bool:
        """Return False: no member is left out."""
        return False


WRITTEN = _RulePreferences()
