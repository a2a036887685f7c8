"""What nodes depend on, by labels: what an expression reads itself, and what answers of terms can rest on.

The input is graphs and the labels of changes; the output is the labels of the words, charts, counters and questions
that a node reads, and for each term in both graphs the changed ones that its answers can depend on. Prose, citations
and origins do not count: they change no answer.
"""

from collections.abc import Iterable, Iterator

from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rules_of_term
from runtime.graph.call_graph import terms_queried
from runtime.graph.closure import topological_order, transitive_closure
from runtime.graph.expressions import Symbol, symbols_of
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.members import members_of
from runtime.graph.operators import OPERATORS
from runtime.graph.rows import row_label
from runtime.graph.slots import CONSTANT
from runtime.graph.step_symbols import symbols_of_node
from runtime.graph.verbs import rule_answer
from runtime.graph.walk import nodes_of, walk
from runtime.witness.structural_difference import WORDY, NodeChange

# Namespaces of symbols whose meaning is independent of the position, unlike tracks, relations, pieces and new records.
INDEPENDENT = CONSTANT | {"cell"}
# Namespaces of what no edit changes.
_UNCHANGED = frozenset({"local", "given", "function", "hex", "piece", "step", "records"})


def _dependencies_of(nodes: object) -> Iterator[str]:
    """Return what expressions and steps read: words of the vocabulary, charts, and questions as a whole."""
    for node in walk(nodes):
        yield from _read(node)


def rests_on_position(rules: graph.Graph, name: str) -> bool:
    """Return whether the answers of a term may depend on anything but its arguments."""
    for term in transitive_closure([name], lambda queried: _queried(rules, queried)):
        node = rules.terms[term]
        nodes = walk((node.otherwise, *rules_of_term(rules, node), node.type))
        if node.form == "flag" or any(map(_looks, nodes)):
            return True
    return False


def _queried(rules: graph.Graph, name: str) -> list[str]:
    """Return the terms that a term itself queries, or the charts that it reads."""
    return [queried for queried in terms_queried(_nodes_of(rules, name)) if queried in rules.terms and queried != name]


def _nodes_of(rules: graph.Graph, name: str) -> tuple[object, ...]:
    """Return what determines the answers of a term, with the charts that it reads."""
    term = rules.terms[name]
    clauses = ((rule.names, rule.guard, rule.value) for rule in rules_of_term(rules, term))
    nodes = (term.parameters, term.otherwise, *clauses)
    return (*nodes, *(rules.tables[chart].rows for chart in sorted(_charts_read(nodes))))


def _charts_read(nodes: object) -> set[str]:
    return {node.table for node in nodes_of(graph.Cell, nodes)}


def _what_is_read(rules: graph.Graph) -> tuple[object, ...]:
    """Return the parts of a graph that read others."""
    words = rules.vocabulary
    return rules.terms, rules.rules, rules.procedures, rules.tables, words.relations, words.records, words.tracks


def _looks(node: object) -> bool:
    match node:
        case graph.Op(op):
            return bool(OPERATORS[op].needs)
        case graph.All(graph.Hex()):
            return True
        case _:
            return any(symbol.namespace not in INDEPENDENT for symbol in symbols_of(node))


def labels_read(rules: graph.Graph) -> frozenset[str]:
    """Return the labels of all that a graph reads: questions and procedures, and charts with their cells."""
    labels = set(_dependencies_of(_what_is_read(rules))).union(*(_labels_of(rules, name) for name in rules.terms))
    for kind in rules.vocabulary.kinds.values():
        labels.update(f"factor {kind.name}.{name}" for name, _ in kind.first if f"printed {name}" in labels)
    for table in rules.tables.values():
        if f"chart {table.name}" in labels:
            labels.update(row_label(table, row, rules.vocabulary) for row in table.rows)
    return frozenset(labels)


def _labels_of(rules: graph.Graph, name: str) -> frozenset[str]:
    """Return the labels of what a term itself reads: its rules and default, words, charts with their cells, terms."""
    nodes = _nodes_of(rules, name)
    labels = {term_label(name), *rules.terms[name].rules, *_dependencies_of(nodes)}
    for chart in _charts_read(nodes):
        table = rules.tables[chart]
        labels.update(row_label(table, row, rules.vocabulary) for row in table.rows)
    return frozenset(labels)


def extended_enumerations(a: graph.Graph, b: graph.Graph) -> frozenset[str]:
    """Return the enumerations, by label, whose changed list of members has no effect itself.

    One graph has additional members, or another order, and nothing iterates over all of them.
    """
    shared = a.vocabulary.enums.keys() & b.vocabulary.enums.keys()
    labels = set()
    for name in shared.difference(_iterated_enumerations(a), _iterated_enumerations(b)):
        first, second = set(members_of(a.vocabulary, name)), set(members_of(b.vocabulary, name))
        if first >= second or first <= second:
            labels.add(f"enum {name}")
    return frozenset(labels)


def _iterated_enumerations(rules: graph.Graph) -> Iterator[str]:
    """Return the enumerations of which all members, or a collection of some, may be iterated over in order."""
    for node in walk(_what_is_read(rules)):
        match node:
            case graph.All(graph.Enum(name)) | graph.Many(_, graph.Enum(name)):
                yield name
            case (
                graph.Fold(source=source)
                | graph.Loop(_, source)
                | graph.Each(_, source)
                | graph.Choose(_, _, source)
                | graph.Draw(_, _, source)
            ):
                yield from (member.enum for member in nodes_of(graph.Member, source))
            case _:
                pass


def ineffective_rules(a: graph.Graph, b: graph.Graph) -> frozenset[str]:
    """Return the rules without an effect in either graph: they allow what is allowed anyway, and defeat nothing."""

    def is_default_yes(name: str) -> bool:
        return all(name in rules.terms and rules.terms[name].default is True for rules in (a, b))

    labels: set[str] = set()
    for label in a.rules.keys() | b.rules.keys():
        versions = [rules.rules[label] for rules in (a, b) if label in rules.rules]
        names = {name for rule in versions for name in rule.terms}
        grants_only = all(rule_answer(rule) and not rule.defeats for rule in versions)
        if names and grants_only and all(map(is_default_yes, names)):
            labels.add(label)
    return frozenset(labels)


def dependent_questions(rules: graph.Graph, parts: frozenset[str]) -> frozenset[str]:
    """Return the questions whose answers depend on some of these parts, directly or through other questions."""
    starts = {name for name in rules.terms if not parts.isdisjoint(_labels_of(rules, name))}
    queried = {name: _queried(rules, name) for name in rules.terms}
    reached = {name: transitive_closure([name], queried.__getitem__) for name in rules.terms}
    return frozenset(name for name, names in reached.items() if not starts.isdisjoint(names))


def readers_of(rules: graph.Graph, label: str) -> frozenset[str]:
    """Return the terms that themselves read a rule, a default or a cell of a chart."""
    return frozenset(name for name in rules.terms if label in _labels_of(rules, name))


def _read(node: object) -> Iterator[str]:
    match node:
        case graph.Scale(scale):
            yield f"scale {scale}"
        case graph.Enum(enum):
            yield f"enum {enum}"
        case graph.Piece(kinds):
            yield from (f"kind {kind}" for kind in kinds)
        case graph.Tell(event):
            yield f"event {event}"
        case graph.Roll(_, domain):
            yield f"domain {domain}"
        case _:
            for symbol in symbols_of_node(node):
                if symbol.namespace not in _UNCHANGED:
                    yield _label_of(symbol)


def _label_of(symbol: Symbol) -> str:
    """Return the label of a change on which what a symbol stands for depends."""
    match symbol:
        case ("printed", _, name):
            return f"printed {name}"
        case ("end", relation, _):
            return f"relation {relation}"
        case ("record", owner, name):
            return f"record {owner or name}"
        case ("place of scale", scale, _):
            return f"scale {scale}"
        case ("member", enum, _):
            return f"enum {enum}"
        case ("pieces" | "occupants" | "reserve", _, kind):
            return f"kind {kind}"
        case ("term", _, name):
            return term_label(name)
        case _:
            return symbol.key


@frozen_dataclass
class LabelChanges:
    """Labels in one graph only, or in both with a difference, as `structural_difference.Change` has them."""

    only_a: frozenset[str]
    only_b: frozenset[str]
    altered: frozenset[str]

    def all_labels(self) -> frozenset[str]:
        """Return all changed labels."""
        return self.only_a | self.only_b | self.altered


def collect_label_changes(changes: Iterable[NodeChange]) -> LabelChanges:
    """Collect the labels of changes, except those of print only."""
    labels: dict[str, set[str]] = {"gone": set(), "new": set(), "changed": set(), "printed": set()}
    for change in changes:
        labels[change.operation].update(change.labels)
    return LabelChanges(frozenset(labels["gone"]), frozenset(labels["new"]), frozenset(labels["changed"]))


def counter_label(id_: str) -> str:
    """Return the label of a counter."""
    return f"counter {id_}"


def term_label(name: str) -> str:
    """Return the label of the default of a term."""
    return f"default of {name}"


def labels_of_terms(a: graph.Graph, b: graph.Graph, changes: LabelChanges) -> dict[str, frozenset[str]]:
    """Return, for each term of both graphs, the changed labels its answers can depend on, queried terms first."""
    every = changes.all_labels()
    changed_by_part = _changed_by_part(a, b, every)
    reach: dict[str, frozenset[str]] = {}
    for rules in (b, a):
        labels: dict[str, frozenset[str]] = {}
        queried = {name: _queried(rules, name) for name in rules.terms}
        for name in topological_order(queried):
            parts = _labels_of(rules, name)
            labels[name] = (parts & every).union(
                *(changed_by_part.get(part, ()) for part in parts), *(labels[callee] for callee in queried[name])
            )
            if labels[name] and name in a.terms and name in b.terms:
                reach[name] = reach.get(name, frozenset()) | labels[name]
    return reach


def _changed_by_part(a: graph.Graph, b: graph.Graph, every: frozenset[str]) -> dict[str, set[str]]:
    """Map each thing that nodes read (`_read`) to the changed labels of its words and counters."""
    labels_by_part: dict[str, set[str]] = {}
    for label in every:
        kind, _, name = label.partition(" ")
        parts: Iterable[str] = (label,) if kind in WORDY else ()
        if kind == "counter":
            parts = _differing_properties(a.counters.get(name), b.counters.get(name))
        elif kind == "factor":
            parts = (f"printed {name.rpartition('.')[2]}",)
        for part in parts:
            labels_by_part.setdefault(part, set()).add(label)
    return labels_by_part


def _differing_properties(first: graph.Counter | None, second: graph.Counter | None) -> Iterator[str]:
    """Return the differing properties of two versions of a counter, as nodes read them."""
    if first is None or second is None:
        return
    # A factor with two values is in this difference twice.
    for name in dict({*first.printed} ^ {*second.printed}):
        yield f"printed {name}"
    for trait in {*first.traits} ^ {*second.traits}:
        yield f"trait {first.kind}.{trait}"
    if (first.kind, first.owner) != (second.kind, second.owner):
        yield f"kind {first.kind}"
