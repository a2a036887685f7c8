"""Scripted choices of examples: values by the name of a choice, or by procedure and choice.

`lost: T` answers every choice with this name, `lose.lost: T` those of `lose` alone. `chip.player: north` is the side
that takes an offered action, `lost.player: north` the side that is asked for a choice. A name given several times
answers successive choices; a name given once answers all.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from runtime.state.record import Value

ChosenValues = Mapping[str, Value]


class ScriptedChoices(dict[str, Value]):
    """A mapping from each name to the value of its next choice."""

    def __init__(self, choices: Iterable[tuple[str, Value]]) -> None:
        """Group the values by name, in order."""
        super().__init__()
        self._choices = tuple(choices)
        self._later_values: dict[str, list[Value]] = {}
        self._last: dict[str, Value] = {}
        self._unasked_counts: Counter[str] = Counter()
        self._keys_by_name: dict[str, dict[str, None]] = {}
        for name, value in self._choices:
            self._unasked_counts[name] += 1
            if name in self:
                self._later_values.setdefault(name, []).append(value)
            else:
                self[name] = value

    def restarted_copy(self) -> "ScriptedChoices":
        """Return the choices in their initial state."""
        return ScriptedChoices(self._choices)

    def with_names(self, names: Mapping[str, Value]) -> "ScriptedChoices":
        """Add names that answer all their choices and count as used."""
        for name, value in names.items():
            if name not in self:
                self[name] = value
        return self

    def ask(self, name: str, key: str) -> None:
        """Record that a procedure uses the next value of a name, and advance."""
        self._keys_by_name.setdefault(name, {})[key] = None
        self._last[name] = self[name]
        if self._unasked_counts[name]:
            self._unasked_counts[name] -= 1
        if self._later_values.get(name):
            self[name] = self._later_values[name].pop(0)

    def last_value(self, name: str) -> Value:
        """Return the value of a name that was used last; the first before any use."""
        return self._last.get(name, self[name])

    def procedures_that_chose(self, name: str) -> tuple[str, ...]:
        """Return the keys of the procedures that used a name."""
        return tuple(self._keys_by_name.get(name, ()))

    def count_unused(self, name: str) -> int:
        """Count the unused values of a name."""
        return self._unasked_counts[name]


def label_in_examples(key: str) -> str:
    """Return a procedure's name as examples have it: `resolution:lose` is `lose`, `hook:struck#003` is `struck`."""
    return key.partition(":")[2].partition("#")[0]


def answering_name(chosen: ChosenValues, key: str, choice: str) -> str:
    """Return the name that answers a choice of a procedure, the qualified one first; "" if there is none."""
    qualified_name = f"{label_in_examples(key)}.{choice}"
    return qualified_name if qualified_name in chosen else choice if choice in chosen else ""


def taker_name(name: str) -> str:
    """Return the name under which an example states the side that takes an offered action, or is asked for a choice."""
    return f"{name}.player"


def choices_of_procedure(chosen: ChosenValues, key: str) -> ChosenValues:
    """Return the choices of one procedure by unqualified names."""
    qualifier = f"{label_in_examples(key)}."
    named = {name.removeprefix(qualifier): value for name, value in chosen.items() if name.startswith(qualifier)}
    return {**chosen, **named} if named else chosen


def last_value(chosen: ChosenValues, name: str) -> Value:
    """Return the value of a name that was used last."""
    return chosen.last_value(name) if isinstance(chosen, ScriptedChoices) else chosen[name]


def count_unused(chosen: ChosenValues, name: str) -> int:
    """Count the unused values of a name."""
    return chosen.count_unused(name) if isinstance(chosen, ScriptedChoices) else 0
