"""Revert changes between two graphs, and find by that which of them cause a difference.

The input is two graphs and the changes between them; the output is the second graph with chosen changes reverted, and
for a question that the two answer differently the labels of the changes without which the second would not answer as it
does or, where no single one is necessary, of a minimal sufficient set. A rule that was live beside the cause is not
one; nor is a rule that only reads an inserted stage before its own, where the rules of that stage suffice: such a stage
has no effect itself until one of its rules is live. Words of the first graph only are added to the second, unused, so
that a reverted rule finds the questions and charts that it reads.
"""

import hashlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import fields, replace
from graphlib import CycleError
from typing import Any, get_args

from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import terms_of_rule, with_adopted_labels
from runtime.graph.closure import topological_order
from runtime.graph.rows import row_label
from runtime.graph.stages import stage_before, stages_put_before
from runtime.graph.walk import map_children
from runtime.witness.candidate import Candidate
from runtime.witness.paired_evaluation import answer_in_words
from runtime.witness.structural_difference import VOCABULARY, NodeChange
from runtime.witness.translated_position import translated_position

# The fields of rules and questions in which a stage may be read.
READING = {"rule": frozenset({"value", "guard", "names"}), "question": frozenset({"otherwise"})}


def _changed_stages_before(a: graph.Graph, b: graph.Graph, changes: Iterable[NodeChange]) -> frozenset[str]:
    """Return the labels of changes that are equal in both graphs, except for an earlier stage that only one has."""
    labels: set[str] = set()
    for change in changes:
        if change.operation != "changed" or not READING.get(change.kind, frozenset()).issuperset(change.fields):
            continue
        first_node, second_node = _node(a, change), _node(b, change)
        stages: dict[str, str] = {}
        for name in first_node.terms if change.kind == "rule" else (change.name,):
            stages |= _stages_read(a, b, name)
        if all(
            _renamed(getattr(first_node, field), stages) == _renamed(getattr(second_node, field), stages)
            for field in change.fields
        ):
            labels.update(change.labels)
    return frozenset(labels)


def rules_put_before(rules: graph.Graph, other: graph.Graph, name: str) -> list[str]:
    """Return the rules of the stages directly before one that only the first graph has."""
    return [label for stage in stages_put_before(rules, other, name) for label in rules.terms[stage].rules]


def _node(rules: graph.Graph, change: NodeChange) -> Any:
    return (rules.rules if change.kind == "rule" else rules.terms)[change.name]


def _stages_read(a: graph.Graph, b: graph.Graph, name: str) -> dict[str, str]:
    """Map the stage before a question, in each graph, to the nearest earlier one that both graphs have."""
    stages = {}
    for rules, other in ((a, b), (b, a)):
        added_stages = stages_put_before(rules, other, name)
        if shared := stage_before(rules, added_stages[-1] if added_stages else name):
            stages[stage_before(rules, name)] = shared
    return stages if len(set(stages.values())) == 1 else {}


def _renamed(node: Any, stages: dict[str, str]) -> Any:
    """Replace the stages that a node queries."""
    node = map_children(node, lambda part: _renamed(part, stages))
    return replace(node, term=stages.get(node.term, node.term)) if isinstance(node, graph.Ask) else node


# Fields of the vocabulary by the kinds of changes.
FIELDS = {kind: field for field, kind in VOCABULARY.items()} | dict.fromkeys(get_args(graph.FlagKind), "flags")
# Changes that can be reverted one by one; the others concern play or print.
REVERSIBLE = frozenset({"rule", "question", "cell", "chart", "counter", "factor", *FIELDS})


# Parts of a graph or of its vocabulary, by the field, with their members by name.
GraphParts = dict[str, Any]


def revert_changes(a: graph.Graph, b: graph.Graph, changes: Iterable[NodeChange]) -> graph.Graph | None:
    """Return `b` without changes; None if that is no graph, for instance if rules defeat each other in a cycle."""
    merged_graph = _with_words_of(a, b)
    parts: GraphParts = {
        field: dict(getattr(merged_graph, field)) for field in ("rules", "tables", "terms", "counters")
    }
    words: GraphParts = {
        part.name: dict(getattr(merged_graph.vocabulary, part.name)) for part in fields(graph.Vocabulary)
    }
    names = []
    for change in changes:
        if change.kind in REVERSIBLE:
            _revert_change(change, parts, words, a, b)
            names.append(f"{change.kind} {change.name}")
    ordered = _order_rules(parts["terms"], parts["rules"])
    if ordered is None:
        return None
    hashed = hashlib.sha256(" ".join((a.hash, b.hash, *sorted(names))).encode()).hexdigest()
    vocabulary = replace(merged_graph.vocabulary, **words)
    return replace(merged_graph, **{**parts, "terms": ordered}, vocabulary=vocabulary, hash=hashed)


def _revert_change(change: NodeChange, parts: GraphParts, words: GraphParts, a: graph.Graph, b: graph.Graph) -> None:
    """Restore what one change has replaced; nothing if it concerns a word or question of one graph only."""
    name = change.name
    match change.kind, change.operation:
        case "rule", _:
            _put_back(parts["rules"], a.rules, name)
        case "question", "changed":
            parts["terms"][name] = replace(a.terms[name], rules=parts["terms"][name].rules)
        case "cell", _:
            _put_cell_back(parts["tables"], name, a, b)
        case "chart", "changed":
            before, table = a.tables[name], parts["tables"][name]
            if len(before.keys) == len(table.keys):  # Otherwise its readers would pass other keys.
                parts["tables"][name] = replace(before, rows=table.rows)
        case "counter", _:
            counters = parts["counters"]
            _put_back(counters, a.counters, name)
            if name in counters and name in b.counters:
                counters[name] = _with_factors_of(b.counters[name], counters[name], b.vocabulary.kinds)
        case "factor", "changed":
            _put_first_value_back(words["kinds"], parts["counters"], name, a)
        case kind, "changed" if kind in FIELDS:
            words[FIELDS[kind]][name] = getattr(a.vocabulary, FIELDS[kind])[name]


def _with_words_of(a: graph.Graph, b: graph.Graph) -> graph.Graph:
    """Add the declarations of one graph to another that lacks their names, where nothing uses them yet.

    Rules are added with the questions of the first graph only; those on shared questions are changes.
    """
    terms = {**{name: term for name, term in a.terms.items() if name not in b.terms}, **b.terms}
    added_rules = {label: rule for label, rule in a.rules.items() if b.terms.keys().isdisjoint(rule.terms)}
    words = {
        part.name: {**getattr(a.vocabulary, part.name), **getattr(b.vocabulary, part.name)}
        for part in fields(graph.Vocabulary)
    }
    return replace(
        b,
        terms=terms,
        rules={**added_rules, **b.rules},
        tables={**a.tables, **b.tables},
        vocabulary=replace(b.vocabulary, **words),
    )


def _put_back(members: dict[str, Any], before: dict[str, Any], name: str) -> None:
    members.pop(name, None)
    if name in before:
        members[name] = before[name]


def _with_factors_of(counter: graph.Counter, before: graph.Counter, kinds: Mapping[str, graph.Kind]) -> graph.Counter:
    """Return a counter as it was, with the factors that were added to its kind since."""
    known, added = dict(before.printed), dict(kinds[counter.kind].first)
    more = tuple(factor for factor in counter.printed if factor[0] in added and factor[0] not in known)
    first = tuple(name for name in counter.first if name in dict(more))
    return replace(before, printed=(*before.printed, *more), first=(*before.first, *first))


def _put_first_value_back(
    kinds: dict[str, Any], counters: dict[str, graph.Counter], factor: str, a: graph.Graph
) -> None:
    """Restore the first value of an added factor, in its kind and on the counters that show it."""
    kind, _, name = factor.partition(".")
    value = dict(a.vocabulary.kinds[kind].first)[name]

    def with_value(values: tuple[tuple[str, graph.Expr], ...]) -> tuple[tuple[str, graph.Expr], ...]:
        return tuple((key, value if key == name else other_value) for key, other_value in values)

    kinds[kind] = replace(kinds[kind], first=with_value(kinds[kind].first))
    for key, counter in counters.items():
        if counter.kind == kind and name in counter.first:
            counters[key] = replace(counter, printed=with_value(counter.printed))


def _put_cell_back(tables: dict[str, graph.Table], label: str, a: graph.Graph, b: graph.Graph) -> None:
    """Replace the rows with these keys by the original ones."""
    name = label.partition("[")[0]
    table, first_table, second_table = tables[name], a.tables[name], b.tables[name]
    original_rows = [row for row in first_table.rows if row_label(first_table, row, a.vocabulary) == label]
    other_rows = []
    place = None
    for row in table.rows:
        is_of_second = row in second_table.rows
        home, words = (second_table, b.vocabulary) if is_of_second else (table, a.vocabulary)
        if row_label(home, row, words) != label:
            other_rows.append(row)
        elif place is None:
            place = len(other_rows)
    place = len(other_rows) if place is None else place
    tables[name] = replace(table, rows=(*other_rows[:place], *original_rows, *other_rows[place:]))


def _order_rules(terms: dict[str, graph.Term], rules: dict[str, graph.Rule]) -> dict[str, graph.Term] | None:
    """Recompute the rules of each term, each before those that it defeats; None if there is a cycle."""
    labels_by_term: dict[str, list[str]] = {name: [] for name in terms}
    for rule in rules.values():
        for name in rule.terms:
            if name in labels_by_term:
                labels_by_term[name].append(rule.label)
    adopted_questions = {name: term.beside for name, term in terms.items()}
    try:
        all_labels = with_adopted_labels(labels_by_term, adopted_questions, rules)
        return {name: _with_rules(term, all_labels.get(name, []), rules) for name, term in terms.items()}
    except CycleError:
        return None


def _with_rules(term: graph.Term, labels: list[str], rules: dict[str, graph.Rule]) -> graph.Term:
    """Return a term with these rules in their original order, as far as defeats permit, so that ids stay comparable."""
    defeating = {label: [other for other in labels if label in rules[other].defeats] for label in labels}
    places = {label: index for index, label in enumerate(term.rules)}
    return replace(term, rules=tuple(topological_order(defeating, lambda label: f"{places.get(label, 0):06}")))


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
        self.following = _changed_stages_before(a, b, changes)
        self.is_searchable = len(effective_changes) <= MOST_SEARCHED_CHANGES
        self.by_label: dict[str, NodeChange] = {}
        for change in effective_changes:
            if change.kind in REVERSIBLE:
                self.by_label.update(dict.fromkeys(change.labels, change))
        self._reverted_graphs: dict[frozenset[NodeChange], graph.Graph | None] = {}

    def causes_of(self, term: str, candidate: Candidate, candidates: Collection[str]) -> frozenset[str] | None:
        """Return the causes among these labels; None if they cannot be distinguished."""
        leading = set(candidates) - self.following
        causes = self._find_causes(term, candidate, leading) if leading else None
        return causes or self._find_causes(term, candidate, candidates)

    def _find_causes(self, term: str, candidate: Candidate, candidates: Collection[str]) -> frozenset[str] | None:
        known = {label: self.by_label[label] for label in sorted(candidates) if label in self.by_label}
        if not known or len(known) > MOST_CANDIDATES:
            return None
        second_answer = self._answer([], term, candidate)
        first_answer = self._answer(known.values(), term, candidate)
        if second_answer is None or first_answer is None or second_answer == first_answer:
            return None
        necessary = [
            label for label, change in known.items() if self._answer([change], term, candidate) != second_answer
        ]
        causes = frozenset(necessary or self._minimal_subset(known, first_answer, term, candidate))
        # A term of one graph only contributes to those that query it: the cause is what queries it.
        return frozenset(label for label in causes if not self._is_rule_of_one_graph(label)) or causes

    def _is_rule_of_one_graph(self, label: str) -> bool:
        """Return whether a label is a rule on terms that only one of the graphs has."""
        change = self.by_label[label]
        rule = self.b.rules.get(change.name) or self.a.rules.get(change.name)
        if change.kind != "rule" or rule is None:
            return False
        common_terms = self.a.terms.keys() & self.b.terms.keys()
        return all(common_terms.isdisjoint(terms_of_rule(rules, rule)) for rules in (self.a, self.b))

    def _minimal_subset(
        self, known: dict[str, NodeChange], first_answer: str, term: str, candidate: Candidate
    ) -> dict[str, NodeChange]:
        """Return a minimal subset of changes whose reversion yields the first answer."""
        subset = known
        for label in known:
            fewer = {other: change for other, change in subset.items() if other != label}
            if self._answer(fewer.values(), term, candidate) == first_answer:
                subset = fewer
        return subset

    def _answer(self, changes: Iterable[NodeChange], term: str, candidate: Candidate) -> str | None:
        """Evaluate the question in the second graph with changes reverted."""
        reverted_changes = frozenset(changes)
        if reverted_changes not in self._reverted_graphs:
            self._reverted_graphs[reverted_changes] = revert_changes(self.a, self.b, reverted_changes)
        rules = self._reverted_graphs[reverted_changes]
        position = None if rules is None else translated_position(candidate.position, rules)
        if rules is None or position is None or term not in rules.terms:
            return None
        question = graph.Ask(term, candidate.arguments)
        return answer_in_words(rules, position, question, rules.terms[term].type)
