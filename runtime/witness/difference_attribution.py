"""Attribute a difference in play, or in the answer of an example, to changes between two stacks.

The input is the questions of both stacks, in the order of their answers, and the results; the output is labels of
changes as in dependencies.py, and of state as `track unit.spent`: those behind the first question with different
answers, those live in what only one stack queries, the counters of the pieces, and the differing state.
"""

from collections.abc import Iterable, Iterator

from runtime.graph import nodes as graph
from runtime.graph.walk import walk
from runtime.trial.divergence import TracedAnswers
from runtime.witness.dependencies import counter_label, term_label
from runtime.witness.traced_run import StateSlot


def _changed_state(a: graph.Graph, b: graph.Graph) -> Iterator[str]:
    """Yield the labels of state in both stacks with a different duration, initial value, range or ending."""
    first_words, second_words = a.vocabulary, b.vocabulary
    for key, track in first_words.tracks.items():
        other = second_words.tracks.get(key)
        if other is not None and (track.type, track.initial, track.until) != (other.type, other.initial, other.until):
            yield f"track {key}"
    for key, flag in first_words.flags.items():
        if flag.what == "status" and key in second_words.flags and flag.until != second_words.flags[key].until:
            yield f"status {key}"
    for name, relation in first_words.relations.items():
        if name in second_words.relations and relation != second_words.relations[name]:
            yield f"relation {name}"


class Attribution:
    """The changes between two stacks, to which differences are attributed."""

    def __init__(
        self, graphs: tuple[graph.Graph, graph.Graph], changes: frozenset[str], following: frozenset[str]
    ) -> None:
        """Store the labels of all changes that answers depend on; those `following` only read another stage."""
        self.graphs = graphs
        self.changes = changes
        self.following = following
        self.notes = frozenset(_changed_state(*graphs))

    def changes_of_answers(
        self, first: TracedAnswers, second: TracedAnswers, clashing: Iterable[str] = ()
    ) -> tuple[str, ...]:
        """Return the changes behind the first answer that differs, else those among `clashing`."""
        for question, answer in first.items():
            if question in second and second[question].value != answer.value:
                rules, others = answer.rules, second[question].rules
                found = self._known(rules ^ others) or self._known(rules | others | {term_label(question[0])})
                if found and self.following.issuperset(found):
                    return self.changes_of_unshared_rules(first, second) or found
                if found:
                    return found
        return self._known(clashing)

    def changes_of_unshared_rules(self, first: TracedAnswers, second: TracedAnswers) -> tuple[str, ...]:
        """Return the changes among the rules that were live in what only one stack queried, else its defaults."""
        pairs = ((first, second), (second, first))
        unshared_answers = [answer for traced, others in pairs for key, answer in traced.items() if key not in others]
        labels = {label for traced in unshared_answers for label in traced.rules}
        return self._known(labels) or self._known(_unshared_terms(first, second))

    def changed_counters(self, counters: Iterable[str]) -> tuple[str, ...]:
        """Return the counters in a position that are printed differently."""
        return self._known(map(counter_label, counters))

    def changed_factors(self, nodes: object) -> tuple[str, ...]:
        """Return the added factors that are read and whose first values or updates differ."""
        read = (node for node in walk(nodes) if isinstance(node, graph.Get) and node.what == "printed")
        return self._known(f"factor {node.owner}.{node.name}" for node in read)

    def changed_declarations(self, slots: Iterable[StateSlot]) -> tuple[str, ...]:
        """Return the tracks, statuses and relations among these slots whose declarations differ between the stacks."""
        keys = {f"{sort} {slot.key}" for slot in slots for sort in ("track", "status", "relation")}
        return tuple(sorted(keys & self.notes))

    def only_change(self) -> tuple[str, ...]:
        """Return the only change, if there is no other: it is the cause of any difference."""
        every = self.changes | self.notes
        return tuple(every) if len(every) == 1 else ()

    def _known(self, labels: Iterable[str]) -> tuple[str, ...]:
        return tuple(sorted(self.changes.intersection(labels)))


def _unshared_terms(first: TracedAnswers, second: TracedAnswers) -> Iterator[str]:
    """Return the terms that only one stack queried, for the case that a default has changed."""
    yield from (term_label(name) for name, _ in first.keys() ^ second.keys())
