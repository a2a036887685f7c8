"""What nodes depend on, by labels: what an expression reads itself, and what answers of terms can rest on.

The input is graphs and the labels of changes; the output is the labels of the words, charts, counters and questions
that a node reads, and for each term in both graphs the changed ones that its answers can depend on. Prose, citations
and origins do not count: they change no answer.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rules_of_term
from runtime.graph.call_graph import terms_queried
from runtime.graph.closure import topological_order, transitive_closure
from runtime.graph.expressions import Symbol, symbols_of
from runtime.graph.members import members_of
from runtime.graph.operators import OPERATORS
from runtime.graph.rows import row_label
from runtime.graph.slots import CONSTANT
from runtime.graph.verbs import rule_answer
from runtime.graph.walk import walk
from runtime.witness.structural_difference import WORDY, NodeChange, structural_difference

# Namespaces of symbols whose meaning is independent of the position, unlike tracks, relations, pieces and new records.
INDEPENDENT = CONSTANT | {"cell"}
# Namespaces of what no edit changes.
UNCHANGED = frozenset({"local", "given", "function", "hex", "piece", "step", "records"})


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
    return [each for each in terms_queried(_nodes_of(rules, name)) if each in rules.terms and each != name]


def _nodes_of(rules: graph.Graph, name: str) -> tuple[object, ...]:
    """Return what determines the answers of a term, with the charts that it reads."""
    term = rules.terms[name]
    nodes = (term.parameters, term.otherwise, *((r.names, r.guard, r.value) for r in rules_of_term(rules, term)))
    charts = {node.table for node in walk(nodes) if isinstance(node, graph.Cell)}
    return (*nodes, *(rules.tables[chart].rows for chart in sorted(charts)))


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
    words = rules.vocabulary
    parts = (rules.terms, rules.rules, rules.procedures, rules.tables, words.relations, words.records, words.tracks)
    found = {*_dependencies_of(parts)}.union(*(_labels_of(rules, name) for name in rules.terms))
    found.update(
        f"factor {kind.name}.{name}" for kind in words.kinds.values() for name, _ in kind.first
        if f"printed {name}" in found
    )  # fmt: skip
    for table in rules.tables.values():
        if f"chart {table.name}" in found:
            found.update(row_label(table, row, words) for row in table.rows)
    return frozenset(found)


def _labels_of(rules: graph.Graph, name: str) -> frozenset[str]:
    """Return the labels of what a term itself reads: its rules and default, words, charts with their cells, terms."""
    nodes = _nodes_of(rules, name)
    found = {term_label(name), *rules.terms[name].rules, *_dependencies_of(nodes)}
    for chart in {node.table for node in walk(nodes) if isinstance(node, graph.Cell)}:
        table = rules.tables[chart]
        found.update(row_label(table, row, rules.vocabulary) for row in table.rows)
    return frozenset(found)


def extended_enumerations(a: graph.Graph, b: graph.Graph) -> frozenset[str]:
    """Return the enumerations, by label, whose changed list of members has no effect itself.

    One graph has additional members, or another order, and nothing iterates over all of them.
    """
    gone_through = {name for each in (a, b) for name in _iterated_enumerations(each)}
    shared = (a.vocabulary.enums.keys() & b.vocabulary.enums.keys()) - gone_through
    members = {name: [frozenset(members_of(each.vocabulary, name)) for each in (a, b)] for name in shared}
    return frozenset(f"enum {name}" for name, (old, new) in members.items() if old >= new or old <= new)


def _iterated_enumerations(rules: graph.Graph) -> Iterator[str]:
    """Return the enumerations of which all members, or a collection of some, may be iterated over in order."""
    words = rules.vocabulary
    parts = (rules.terms, rules.rules, rules.procedures, rules.tables, words.relations, words.records, words.tracks)
    for node in walk(parts):
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
                yield from (member.enum for member in walk(source) if isinstance(member, graph.Member))
            case _:
                pass


def ineffective_rules(a: graph.Graph, b: graph.Graph) -> frozenset[str]:
    """Return the rules without an effect in either graph: they allow what is allowed anyway, and defeat nothing."""
    found: set[str] = set()
    for label in a.rules.keys() | b.rules.keys():
        versions = [(rules, rules.rules[label]) for rules in (a, b) if label in rules.rules]
        names = {name for _, rule in versions for name in rule.terms}
        granted = all(rule_answer(rule) and not rule.defeats for _, rule in versions)
        is_default = all(
            name in rules.terms and rules.terms[name].default is True for name in names for rules in (a, b)
        )
        if names and granted and is_default:
            found.add(label)
    return frozenset(found)


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
        case graph.Mark(_, owner, status):
            yield f"status {owner}.{status}"
        case graph.Pair(relation):
            yield f"relation {relation}"
        case graph.Scale(scale):
            yield f"scale {scale}"
        case graph.Enum(enum):
            yield f"enum {enum}"
        case graph.Piece(kinds):
            yield from (f"kind {kind}" for kind in kinds)
        case graph.Create(kind):
            yield f"kind {kind}"
        case graph.Tell(event):
            yield f"event {event}"
        case graph.Roll(_, domain):
            yield f"domain {domain}"
        case _:
            for symbol in symbols_of(node):
                if symbol.namespace not in UNCHANGED:
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


@dataclass(frozen=True, slots=True)
class LabelChanges:
    """Labels in one graph only, or in both with a difference, as `structural_difference.Change` has them."""

    only_a: frozenset[str]
    only_b: frozenset[str]
    altered: frozenset[str]

    def all_labels(self) -> frozenset[str]:
        """Return all changed labels."""
        return self.only_a | self.only_b | self.altered


def label_changes(a: graph.Graph, b: graph.Graph) -> LabelChanges:
    """Return the changes of all that answers depend on."""
    return collect_label_changes(structural_difference(a, b))


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
    read = _read_as(a, b, every)
    reach: dict[str, frozenset[str]] = {}
    for rules in (b, a):
        labels: dict[str, frozenset[str]] = {}
        queried = {name: _queried(rules, name) for name in rules.terms}
        for name in topological_order(queried):
            labels_there = _labels_of(rules, name)
            labels[name] = (labels_there & every).union(
                *(read.get(part, ()) for part in labels_there), *(labels[each] for each in queried[name])
            )
            if labels[name] and name in a.terms and name in b.terms:
                reach[name] = reach.get(name, frozenset()) | labels[name]
    return reach


def _read_as(a: graph.Graph, b: graph.Graph, every: frozenset[str]) -> dict[str, frozenset[str]]:
    """Map each thing that nodes read (dependencies.py) to the changed labels of its words and counters."""
    found: dict[str, set[str]] = {label: {label} for label in every if label.partition(" ")[0] in WORDY}
    for id_ in (label.removeprefix("counter ") for label in every if label.startswith("counter ")):
        for part in _differing_properties(a.counters.get(id_), b.counters.get(id_)):
            found.setdefault(part, set()).add(counter_label(id_))
    for label in (label for label in every if label.startswith("factor ")):
        found.setdefault(f"printed {label.rpartition('.')[2]}", set()).add(label)
    return {name: frozenset(labels) for name, labels in found.items()}


def _differing_properties(first: graph.Counter | None, second: graph.Counter | None) -> Iterator[str]:
    """Return the differing properties of two versions of a counter, as nodes read them."""
    if first is None or second is None:
        return
    first_printed, second_printed = dict(first.printed), dict(second.printed)
    yield from (
        f"printed {name}"
        for name in {*first_printed, *second_printed}
        if first_printed.get(name) != second_printed.get(name)
    )
    yield from (f"trait {first.kind}.{trait}" for trait in {*first.traits} ^ {*second.traits})
    if (first.kind, first.owner) != (second.kind, second.owner):
        yield f"kind {first.kind}"
