"""Compute which changed nodes an expression directly depends on, by their labels.

The input is a node, and the changed labels; the output is the labels of the words, charts, counters and questions that
the node itself reads, without those that its questions depend on.
"""

from collections.abc import Iterator

from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rules_of_term
from runtime.graph.closure import transitive_closure
from runtime.graph.members import members_of
from runtime.graph.operators import OPERATORS
from runtime.graph.rows import row_label
from runtime.graph.verbs import rule_answer
from runtime.graph.walk import walk

# Nodes whose value is independent of the position, unlike those that read the board, pieces or tracks.
LOOKING = (graph.Get, graph.GameTrack, graph.Has, graph.Pieces, graph.Spot, graph.New)


def dependencies_of(nodes: object) -> Iterator[str]:
    """Return what expressions and steps read: words of the vocabulary, charts, and questions as a whole."""
    for node in walk(nodes):
        yield from _read(node)


def rests_on_position(rules: graph.Graph, name: str) -> bool:
    """Return whether the answers of a term may depend on anything but its arguments."""
    todo, seen = [name], set()
    while todo:
        term_name = todo.pop()
        if term_name in seen or term_name not in rules.terms:
            continue
        seen.add(term_name)
        term = rules.terms[term_name]
        for node in walk((term.otherwise, *rules_of_term(rules, term), term.type)):
            if isinstance(node, LOOKING) or term.form == "flag" or _looks(node):
                return True
            if isinstance(node, graph.Ask):
                todo.append(node.term)
    return False


def _looks(node: object) -> bool:
    match node:
        case graph.Op(op):
            return bool(OPERATORS[op].needs)
        case graph.Test(kind):
            return kind != "cell"
        case graph.All(type_):
            return isinstance(type_, graph.Hex | graph.Piece | graph.RecordOf)
        case _:
            return False


def labels_read(rules: graph.Graph) -> frozenset[str]:
    """Return the labels of all that a graph reads: questions and procedures, and charts with their cells."""
    found = set(dependencies_of((rules.terms, rules.rules, rules.procedures, rules.tables, rules.vocabulary.relations,
                          rules.vocabulary.records, rules.vocabulary.tracks)))  # fmt: skip
    found.update(label for term in rules.terms.values() for label in term.rules)
    found.update(f"default of {name}" for name in rules.terms)
    found.update(
        f"factor {kind.name}.{name}"
        for kind in rules.vocabulary.kinds.values()
        for name, _ in kind.first
        if f"printed {name}" in found
    )
    for table in rules.tables.values():
        if f"chart {table.name}" in found:
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


def iterated_from(rules: graph.Graph, nodes: object) -> Iterator[str]:
    """Return the enumerations that nodes iterate over, also in the questions, actions and resolutions that they use."""
    todo, seen = [nodes], set[str]()
    while todo:
        for node in walk(todo.pop()):
            used: object = ()
            match node:
                case graph.All(graph.Enum(name)):
                    yield name
                case graph.Ask(name) if name in rules.terms:
                    used = rules_of_term(rules, rules.terms[name])
                case graph.Perform(action=name) | graph.Do(name):
                    sort = "action" if isinstance(node, graph.Perform) else "resolution"
                    used = rules.procedures.get(f"{sort}:{name}")
                case _:
                    continue
            if used and name not in seen:
                seen.add(name)
                todo.append(used)


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


def names_read(rules: graph.Graph, name: str) -> frozenset[str]:
    """Return what a question itself reads: words of the vocabulary, printed values, charts, other questions."""
    term = rules.terms[name]
    return frozenset(dependencies_of((term.otherwise, *rules_of_term(rules, term))))


def dependent_questions(rules: graph.Graph, parts: frozenset[str]) -> frozenset[str]:
    """Return the questions whose answers depend on some of these parts, directly or through other questions."""
    starts = [name for name in rules.terms if not parts.isdisjoint(names_read(rules, name))]
    asked_by: dict[str, set[str]] = {}
    for name in rules.terms:
        for part in names_read(rules, name):
            asked_by.setdefault(part, set()).add(name)
    return frozenset(transitive_closure(starts, lambda name: asked_by.get(f"default of {name}", ())))


def readers_of(rules: graph.Graph, label: str) -> frozenset[str]:
    """Return the terms that themselves read a rule, a default or a cell of a chart."""
    chart = label.partition("[")[0]
    found = set()
    for name, term in rules.terms.items():
        nodes = (term.otherwise, *rules_of_term(rules, term))
        if (
            label in (*term.rules, f"default of {name}")
            or label in dependencies_of(nodes)
            or (chart != label and f"chart {chart}" in dependencies_of(nodes))
        ):
            found.add(name)
    return frozenset(found)


def _read(node: object) -> Iterator[str]:  # noqa: C901 -- one arm a node
    match node:
        case graph.Test(test_kind, owner, name):
            yield f"{test_kind} {owner}.{name}"
        case graph.Get(_, "printed", owner, name):
            yield f"printed {name}"
        case graph.Get(_, "track", owner, name):
            yield f"track {owner}.{name}"
        case graph.Get(_, "partner" | "partners", owner, _) | graph.Has(_, "partner", owner, _):
            yield f"relation {owner}"
        case graph.Get(_, "record", owner, _) | graph.Has(_, "record", owner, _) | graph.New(owner, _):
            yield f"record {owner}"
        case graph.Has(_, "path", _, name):
            yield f"path path.{name}"
        case graph.Has(_, "track", owner, name) | graph.GameTrack(owner, name):
            yield f"track {owner}.{name}"
        case graph.Mark(_, owner, status):
            yield f"status {owner}.{status}"
        case graph.Pair(relation):
            yield f"relation {relation}"
        case graph.Spot("region", name):
            yield f"region {name}"
        case graph.Place(scale) | graph.Scale(scale):
            yield f"scale {scale}"
        case graph.Member(enum) | graph.Enum(enum):
            yield f"enum {enum}"
        case graph.Piece(kinds) | graph.Pieces(kinds):
            yield from (f"kind {kind}" for kind in kinds)
        case graph.Create(kind):
            yield f"kind {kind}"
        case graph.Cell(table):
            yield f"chart {table}"
        case graph.Tell(event):
            yield f"event {event}"
        case graph.Roll(_, domain):
            yield f"domain {domain}"
        case graph.Ask(term):
            yield f"default of {term}"
        case _:
            return
