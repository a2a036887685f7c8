"""Find which changes make two stacks answer a question differently, by reverting changes one by one.

The input is two graphs, the changes between them, and a question that they answer differently; the output is the labels
of the changes without which the second graph would not answer as it does or, where no single one is necessary, of a
minimal sufficient set. A rule that was live beside the cause is not one; nor is a rule that only reads an inserted
stage before its own, where the rules of that stage suffice.
"""

from collections.abc import Collection, Iterable

from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import terms_of_rule
from runtime.witness.candidate import Candidate
from runtime.witness.earlier_stages import changed_stages_before
from runtime.witness.paired_evaluation import answer_in_words
from runtime.witness.reverted_graph import REVERSIBLE, revert_changes
from runtime.witness.structural_difference import NodeChange
from runtime.witness.translated_position import translated_position

# With more changes than this, they are attributed to the rules that were live, by their decision ids.
MOST_SEARCHED_CHANGES = 200
# The most changes that are reverted for one question.
MOST_CANDIDATES = 24


class CauseAnalysis:
    """Two graphs, and the second one with changes reverted, built on demand."""

    def __init__(self, a: graph.Graph, b: graph.Graph, changes: Iterable[NodeChange]) -> None:
        self.a, self.b = a, b
        changes = tuple(changes)
        effective_changes = [change for change in changes if change.operation != "printed"]
        self.following = changed_stages_before(a, b, changes)
        self.is_searchable = len(effective_changes) <= MOST_SEARCHED_CHANGES
        self.by_label = {
            label: change for change in effective_changes if change.kind in REVERSIBLE for label in change.labels
        }
        self._reverted_graphs: dict[frozenset[NodeChange], graph.Graph | None] = {}

    def causes_of(self, term: str, candidate: Candidate, candidates: Collection[str]) -> frozenset[str] | None:
        """Return the causes among these labels; None if they cannot be distinguished."""
        leading = set(candidates) - self.following
        return (leading and self._find_causes(term, candidate, leading)) or self._find_causes(
            term, candidate, candidates
        )

    def _find_causes(self, term: str, candidate: Candidate, candidates: Collection[str]) -> frozenset[str] | None:
        known = {label: self.by_label[label] for label in sorted(candidates) if label in self.by_label}
        if not self.is_searchable or not known or len(known) > MOST_CANDIDATES:
            return None
        second_answer = self._answer(frozenset(), term, candidate)
        first_answer = self._answer(frozenset(known.values()), term, candidate)
        if second_answer is None or first_answer is None or second_answer == first_answer:
            return None
        needed = frozenset(
            label
            for label, change in known.items()
            if self._answer(frozenset({change}), term, candidate) != second_answer
        )
        found = needed or self._minimal_subset(known, first_answer, term, candidate)
        # A term of one graph only contributes to those that query it: the cause is what queries it.
        return frozenset(label for label in found if not self._is_rule_of_one_graph(label)) or found

    def _is_rule_of_one_graph(self, label: str) -> bool:
        """Return whether a label is a rule on terms that only one of the graphs has."""
        change = self.by_label[label]
        rule = (self.b.rules.get(change.name) or self.a.rules.get(change.name)) if change.kind == "rule" else None
        return rule is not None and not any(
            name in self.a.terms and name in self.b.terms
            for each in (self.a, self.b)
            for name in terms_of_rule(each, rule)
        )

    def _minimal_subset(
        self, known: dict[str, NodeChange], first_answer: str, term: str, candidate: Candidate
    ) -> frozenset[str]:
        """Return a minimal subset of changes whose reversion yields the first answer."""
        subset = dict(known)
        for label in known:
            fewer = {other: change for other, change in subset.items() if other != label}
            if self._answer(frozenset(fewer.values()), term, candidate) == first_answer:
                subset = fewer
        return frozenset(subset)

    def _answer(self, undone: frozenset[NodeChange], term: str, candidate: Candidate) -> str | None:
        """Evaluate the question in the second graph with changes reverted."""
        if undone not in self._reverted_graphs:
            self._reverted_graphs[undone] = revert_changes(self.a, self.b, undone)
        rules = self._reverted_graphs[undone]
        position = None if rules is None else translated_position(candidate.position, rules)
        if rules is None or position is None or term not in rules.terms:
            return None
        question = graph.Ask(term, candidate.arguments)
        return answer_in_words(rules, position, question, rules.terms[term].type)
