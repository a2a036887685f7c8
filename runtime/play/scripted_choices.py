"""What an example says is chosen: values by the name of a choice, or by procedure and choice.

`lost: T` answers every choice that is called so, `lose.lost: T` those of `lose` alone; `chip.player: north` says who
takes an action that is offered on the way. A name that is given several
times answers one choice after the other; what is given once answers as often as it is asked.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from runtime.state.record import Value

Chosen = Mapping[str, Value]


class ScriptedChoices(dict[str, Value]):
    """For each name the value that the next choice of that name gets."""

    def __init__(self, given: Iterable[tuple[str, Value]]) -> None:
        """Put values given under one name in a row."""
        super().__init__()
        self._given = tuple(given)
        self._later: dict[str, list[Value]] = {}
        self._last: dict[str, Value] = {}
        self._unasked: Counter[str] = Counter()
        self._asked: dict[str, dict[str, None]] = {}
        for name, value in self._given:
            self._unasked[name] += 1
            if name in self:
                self._later.setdefault(name, []).append(value)
            else:
                self[name] = value

    def restarted_copy(self) -> "ScriptedChoices":
        """Return the same, with nobody asked yet."""
        return ScriptedChoices(self._given)

    def with_names(self, names: Mapping[str, Value]) -> "ScriptedChoices":
        """Answer by these names, too, as often as they are asked for; they count as asked."""
        for name, value in names.items():
            if name not in self:
                self[name] = value
        return self

    def ask(self, name: str, key: str) -> None:
        """Note that somebody is asked for the next value of a name, by a procedure."""
        self._asked.setdefault(name, {})[key] = None
        self._last[name] = self[name]
        if self._unasked[name]:
            self._unasked[name] -= 1
        if self._later.get(name):
            self[name] = self._later[name].pop(0)

    def last_value(self, name: str) -> Value:
        """Return the value of a name that was asked for last; before that the first."""
        return self._last.get(name, self[name])

    def procedures_that_chose(self, name: str) -> tuple[str, ...]:
        """Name the procedures, by their keys, that asked for a name."""
        return tuple(self._asked.get(name, ()))

    def count_unused(self, name: str) -> int:
        """Count the values of a name that nobody was asked for."""
        return self._unasked[name]


def label_in_examples(key: str) -> str:
    """Name a procedure as examples do: `resolution:lose` is `lose`, `hook:struck#003` is `struck`."""
    return key.partition(":")[2].partition("#")[0]


def name_in(chosen: Chosen, key: str, choice: str) -> str:
    """Give the name under which the choice of a procedure is answered, its own before a common one; "" if it is not."""
    own = f"{label_in_examples(key)}.{choice}"
    return own if own in chosen else choice if choice in chosen else ""


def who_takes(action: str) -> str:
    """Return the name under which an example says who takes an action that is offered on the way."""
    return f"{action}.player"


def choices_of_procedure(chosen: Chosen, key: str) -> Chosen:
    """Return what is chosen in one procedure, by the names of its choices alone."""
    own = f"{label_in_examples(key)}."
    named = {name.removeprefix(own): value for name, value in chosen.items() if name.startswith(own)}
    return {**chosen, **named} if named else chosen


def last_value(chosen: Chosen, name: str) -> Value:
    """Return the value of a name that was asked for last."""
    return chosen.last_value(name) if isinstance(chosen, ScriptedChoices) else chosen[name]


def count_unused(chosen: Chosen, name: str) -> int:
    """Count the values of a name that nobody was asked for."""
    return chosen.count_unused(name) if isinstance(chosen, ScriptedChoices) else 0
