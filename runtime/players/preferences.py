"""What a player likes, where it takes what it likes best: of itself, what the rules call preferable."""

from typing import Protocol

from runtime.graph import nodes as graph
from runtime.play.game import Game
from runtime.play.playthrough import Names, Playthrough
from runtime.state.record import Value

Worth = Value | None  # None: no preference is met on the way.


class Preferences(Protocol):
    """Preferences about the choices that procedures ask for; `key` is the procedure."""

    def has_preference(self, key: str, step: graph.Choose) -> bool:
        """Return whether it may have a preference about a choice."""
        ...

    def member_worth(self, game: Game, playthrough: Playthrough, key: str, step: graph.Choose, names: Names) -> Worth:
        """Return what the member is worth that is bound; None leaves it to the choices that follow."""
        ...

    def avoids_action(self, action: str) -> bool:
        """Return whether it never begins an action."""
        ...

    def explores_action(self, action: str) -> bool:
        """Return whether it begins an action where nothing better is to be done, whatever the rules say of it."""
        ...

    def tells_apart(self, member: Value) -> Value:
        """Return what sets a piece apart from others of its kind that wait off the map; None if nothing does."""
        ...

    def spares_member(self, playthrough: Playthrough, member: Value) -> bool:
        """Return whether it would rather not have a member in a set."""
        ...


class RulePreferences:
    """The preferences of the rules: the `preferring` of each choice."""

    def has_preference(self, _: str, step: graph.Choose) -> bool:
        """Look whether something is written."""
        return step.preferring is not None

    def member_worth(self, game: Game, playthrough: Playthrough, _: str, step: graph.Choose, names: Names) -> Worth:
        """Evaluate what is written."""
        if step.preferring is None:
            return None
        return game.evaluator.evaluate(playthrough.state, step.preferring, names)

    def avoids_action(self, _: str) -> bool:
        """Shun nothing."""
        return False

    def explores_action(self, _: str) -> bool:
        """Explore nothing."""
        return False

    def tells_apart(self, _: Value) -> Value:
        """Tell nobody apart."""
        return None

    def spares_member(self, _: Playthrough, __: Value) -> bool:
        """Spare nobody."""
        return False


WRITTEN = RulePreferences()
