"""What players do not do under some rules: a greedy one without preferences, and thinking ones outside of offers.

In: rules, and the names of players. Out: a plain sentence for each limit.
"""

import re
from collections.abc import Iterator

from compiler.source.sentence import list_words
from runtime.graph import nodes as graph
from runtime.graph.related_procedures import procedure_label
from runtime.graph.steps import nested_steps
from runtime.players.player_names import THINKING

GREEDY = "greedy"
# The most procedures that a sentence names.
MOST_PROCEDURES = 3


def player_limits(rules: graph.Graph, players: str) -> tuple[str, ...]:
    """Return a sentence for each limit of some players, whose names are words of a text."""
    return tuple(_limits(rules, set(re.findall(r"\w+", players))))


def _limits(rules: graph.Graph, names: set[str]) -> Iterator[str]:
    choices = [
        (key, step)
        for key, procedure in rules.procedures.items()
        for step in nested_steps(procedure.body)
        if isinstance(step, graph.Choose)
    ]
    thinking_names = [name for name in THINKING if name in names]
    if (GREEDY in names or thinking_names) and not any(step.preferring for _, step in choices):
        yield (
            f"no choice of {rules.stack} says what it is worth, so `{GREEDY}` ends each offer as soon as it may, and "
            "does nothing: write `preferring` behind the choices that decide (docs/preferring.md)"
        )
    outside = [key for key, _ in choices if rules.procedures[key].what not in {"action", "reaction"}]
    if thinking_names and outside:
        places = list_words(tuple(procedure_label(key) for key in dict.fromkeys(outside)), "and", MOST_PROCEDURES)
        verb = "thinks" if len(thinking_names) == 1 else "think"
        yield (
            f"{list_words(tuple(thinking_names), 'and')} {verb} where actions are offered; other choices are made as "
            f"`{GREEDY}` makes them: those of {places}"
        )
