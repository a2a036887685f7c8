"""Which changes make two stacks answer a question differently, found by taking changes back one by one.

In: two graphs, the changes between them, and a question that they answer differently. Out: the labels of the changes
without which the second graph would not answer as it does; or, where none alone is needed, of a fewest that are
enough together. A rule that spoke beside the cause is none; nor is one that only reads a stage put in before its own,
where the rules of that stage are enough.
"""

from collections.abc import Collection, Iterable

from runtime.graph import nodes as graph
from runtime.witness.candidate import Candidate
from runtime.witness.earlier_stages import changed_stages_before
from runtime.witness.paired_evaluation import answer_in_words
from runtime.witness.reverted_graph import REVERSIBLE, revert_changes
from runtime.witness.structural_difference import Change
from runtime.witness.translated_position import translated_position

# With more changes than this they are laid to the rules that spoke, by their decision ids.
MOST_CHANGES = 200
# So many changes are taken back for one question.
MOST_CANDIDATES = 24


class Causes:
    """Two graphs, and the second one with changes taken back, as they were needed."""

    def __init__(self, a: graph.Graph, b: graph.Graph, changes: Iterable[Change]) -> None:
        self.a, self.b = a, b
        changes = tuple(changes)
        told = [change for change in changes if change.how != "printed"]
        self.following = changed_stages_before(a, b, changes)
        self.is_searchable = len(told) <= MOST_CHANGES
        self.by_label = {label: change for change in told if change.kind in REVERSIBLE for label in change.labels}
        self._made: dict[frozenset[Change], graph.Graph | None] = {}

    def causes_of(self, term: str, candidate: Candidate, candidates: Collection[str]) -> frozenset[str] | None:
        """Find the causes among these labels; None if they cannot be told apart."""
        leading = set(candidates) - self.following
        return (leading and self._of(term, candidate, leading)) or self._of(term, candidate, candidates)

    def _of(self, term: str, candidate: Candidate, candidates: Collection[str]) -> frozenset[str] | None:
        known = {label: self.by_label[label] for label in sorted(candidates) if label in self.by_label}
        if not self.is_searchable or not known or len(known) > MOST_CANDIDATES:
            return None
        now = self._answer(frozenset(), term, candidate)
        before = self._answer(frozenset(known.values()), term, candidate)
        if now is None or before is None or now == before:
            return None
        needed = frozenset(
            label for label, change in known.items() if self._answer(frozenset({change}), term, candidate) != now
        )
        found = needed or self._enough(known, before, term, candidate)
        # What only one of the two asks serves what asks it: the cause is whoever does.
        return frozenset(label for label in found if not self._serves(label)) or found

    def _serves(self, label: str) -> bool:
        """Return whether a label is a rule on questions that only one of the graphs asks."""
        change = self.by_label[label]
        rule = (self.b.rules.get(change.name) or self.a.rules.get(change.name)) if change.kind == "rule" else None
        return rule is not None and not any(name in self.a.terms and name in self.b.terms for name in rule.terms)

    def _enough(self, known: dict[str, Change], before: str, term: str, candidate: Candidate) -> frozenset[str]:
        """Leave out whatever need not be taken back for the first answer to come out."""
        kept = dict(known)
        for label in known:
            fewer = {other: change for other, change in kept.items() if other != label}
            if self._answer(frozenset(fewer.values()), term, candidate) == before:
                kept = fewer
        return frozenset(kept)

    def _answer(self, undone: frozenset[Change], term: str, candidate: Candidate) -> str | None:
        """Ask the second graph with changes taken back."""
        if undone not in self._made:
            self._made[undone] = revert_changes(self.a, self.b, undone)
        rules = self._made[undone]
        position = None if rules is None else translated_position(candidate.position, rules)
        if rules is None or position is None or term not in rules.terms:
            return None
        question = graph.Ask(term, candidate.arguments)
        return answer_in_words(rules, position, question, rules.terms[term].type)
