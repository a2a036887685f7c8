"""Attribute a difference in play, or in the answer of an example, to changes between two stacks.

The input is the questions of both stacks, in the order of their answers, and the results; the output is labels of
changes as in dependencies.py, and of state as `track unit.spent`: those behind the first question with different
answers, those live in what only one stack queries, the counters of the pieces, and the differing state.
"""

from collections.abc import Iterable

from runtime.graph import nodes as graph
from runtime.graph.walk import walk
from runtime.trial.divergence import TracedAnswers
from runtime.witness.dependencies import counter_label, term_label
from runtime.witness.traced_run import StateSlot


class Attribution:
    """The changes between two stacks, to which differences are attributed."""

    def __init__(self, changes: frozenset[str], following: frozenset[str]) -> None:
        """Store the labels of all changes that answers depend on; those `following` only read another stage."""
        self.changes = changes
        self.following = following

    def changes_of_answers(
        self, first: TracedAnswers, second: TracedAnswers, clashing: Iterable[str] = ()
    ) -> tuple[str, ...]:
        """Return the changes behind the first answer that differs, else those among `clashing`."""
        for question, answer in first.items():
            if question in second and second[question].value != answer.value:
                rules, others = answer.rules, second[question].rules
                found = self._known(rules ^ others) or self._known(rules | others | {term_label(question[0])})
                if found and self.following.issuperset(found):
                    return self._changes_of_unshared_rules(first, second) or found
                if found:
                    return found
        return self._known(clashing)

    def _changes_of_unshared_rules(self, first: TracedAnswers, second: TracedAnswers) -> tuple[str, ...]:
        """Return the changes among the rules that were live in what only one stack queried, else its defaults."""
        pairs = ((first, second), (second, first))
        unshared_answers = [answer for traced, others in pairs for key, answer in traced.items() if key not in others]
        labels = {label for traced in unshared_answers for label in traced.rules}
        # Else a default has changed.
        return self._known(labels) or self._known(term_label(name) for name, _ in first.keys() ^ second.keys())

    def other_causes(
        self,
        first: TracedAnswers,
        second: TracedAnswers,
        counters: Iterable[str],
        slots: Iterable[StateSlot],
        line: object,
    ) -> tuple[str, ...]:
        """Return the changes behind a difference that no answer of both shows, the only change if none is found.

        These are rules behind questions of one stack, counters in play, what differs in the declaration of changed
        state, and added factors that a line reads.
        """
        declared = (f"{sort} {slot.key}" for slot in slots for sort in ("track", "status", "relation"))
        read = (node for node in walk(line) if isinstance(node, graph.Get) and node.what == "printed")
        return (
            self._changes_of_unshared_rules(first, second)
            or self._known(f"factor {node.owner}.{node.name}" for node in read)
            or self._known(map(counter_label, counters))
            or self._known(declared)
            or (tuple(self.changes) if len(self.changes) == 1 else ())
        )

    def _known(self, labels: Iterable[str]) -> tuple[str, ...]:
        return tuple(sorted(self.changes.intersection(labels)))
