"""Compute the structural difference of two graphs: all nodes of one that are not equal in the other.

The input is two graphs; the output is `NodeChange`s, each of a kind of a closed list. Every field of every node counts,
including fields that are added to the classes; excluded is only what `ELSEWHERE` lists (origins, names of a graph), and
what `PRINTED_FIELDS` lists makes a change of print: people read it, and no answer depends on it.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from typing import Any, get_args

from runtime.graph import nodes as graph
from runtime.graph.added_factors import added_factors, added_names, without_factors
from runtime.graph.grouping import group_by
from runtime.graph.procedure_pairs import ProcedurePair, differ_in_preference, procedure_pairs
from runtime.graph.related_procedures import procedure_label
from runtime.graph.rows import row_label

# Fields with the origin of a node, or with the name of a graph as a whole.
ELSEWHERE: Mapping[type, frozenset[str]] = {
    graph.Graph: frozenset({"version", "stack", "hash"}),
    graph.Vocabulary: frozenset({"origins"}),
    graph.Scenario: frozenset({"lines"}),
}
ORIGIN = "origin"
# Fields that people read and from which nothing is computed.
PRINTED_FIELDS: Mapping[type, frozenset[str]] = {
    graph.Term: frozenset({"reads", "denied", "cites"}),
    graph.Rule: frozenset({"relations", "case", "ruling", "reading", "cites", "prose"}),
    graph.TableRow: frozenset({"cites"}),
    graph.Table: frozenset({"title", "edition", "reads", "cites"}),
    graph.Counter: frozenset({"cites", "singled_out", "title", "first", "added"}),
    graph.Always: frozenset({"cites"}),
    graph.Procedure: frozenset({"name", "reads", "prose", "cites"}),
    graph.Phase: frozenset({"title", "cited"}),
    graph.Each: frozenset({"cited"}),
    graph.Offer: frozenset({"cited"}),
    graph.Do: frozenset({"cited"}),
    graph.Word: frozenset({"reads"}),
    graph.Kind: frozenset({"reads"}),
    graph.Flag: frozenset({"reads", "marker"}),
    graph.Force: frozenset({"title", "cites"}),
    graph.Scenario: frozenset({"title", "cites", "gaps", "corrections", "other_corrections"}),
}
PRECONDITION, HOOK_ORDER = "precondition", "order of hooks"
# Whole parts of a graph that answer nothing: the book prints them, `test` runs them, `audit` checks games against them.
BOOK = {
    "layers": "layer",
    "documents": "document",
    "cases": "case",
    "rulings": "ruling",
    "disputes": "dispute",
    "examples": "example",
    "preconditions": PRECONDITION,
}
# Parts of the vocabulary, by the kind of their members.
VOCABULARY = {
    "domains": "domain",
    "enums": "enum",
    "scales": "scale",
    "kinds": "kind",
    "flags": "flag",
    "tracks": "track",
    "relations": "relation",
    "records": "record",
    "events": "event",
}
# The first words of the labels of what is read by name: words of the vocabulary, and flags by their kinds.
WORDY = (*VOCABULARY.values(), *get_args(graph.FlagKind))

# The only differing field of a procedure if only the preferences of greedy players differ.
PREFERRING = "preferring"


@dataclass(frozen=True, slots=True)
class NodeChange:
    """One node that differs. `operation` is new, gone, changed, or printed (nothing is computed from what differs).

    `fields` are those that differ, for a node in both graphs. `labels` are the names of the node in attributions of
    answers: a rule by its label, a cell as `chart[keys]`.
    """

    kind: str
    name: str
    operation: str
    fields: tuple[str, ...]
    labels: tuple[str, ...] = ()


def structural_difference(a: graph.Graph, b: graph.Graph) -> tuple[NodeChange, ...]:
    """Return all changes from one graph to another."""
    found = [
        *_compare_members("rule", _rules(a, b), _rules(b, a)),
        *_compare_members("question", _terms(a, b), _terms(b, a)),
        *_charts(a, b),
        *_compare_members("counter", _counters(a, b), _counters(b, a)),
        *_compare_members("factor", _factors(a), _factors(b)),
        *_procedures(a, b),
        *_words(a.vocabulary, b.vocabulary),
        *_compare_members("always", _listed(a.always), _listed(b.always)),
        *_compare_members("outcome", _single(a.outcome), _single(b.outcome)),
        *_compare_members("card", _single(a.scenario), _single(b.scenario)),
    ]
    for field, kind in BOOK.items():
        first_members, second_members = (_listed(getattr(each, field)) for each in (a, b))
        printed = kind != PRECONDITION
        found += (
            NodeChange(kind, each.name, "printed" if printed else each.operation, each.fields)
            for each in _compare_members(kind, first_members, second_members)
        )
    return tuple(found)


# ---------------------------------------------------------------------- what a node is made of

Parts = dict[str, Any]  # The fields of a node, without the excluded ones.
PartsByName = dict[str, Parts]


def attribution_name(kind: str, name: str) -> str:
    """Return the name of a node in attributions of answers."""
    match kind:
        case "rule" | "cell":
            return name
        case "question":
            return f"default of {name}"
        case "procedure":
            return procedure_label(name)
        case _:
            return f"{kind} {name}".strip()


@cache
def _fields(kind: type) -> tuple[str, ...]:
    left_out = {ORIGIN, *ELSEWHERE.get(kind, ())}
    return tuple(field.name for field in fields(kind) if field.name not in left_out)


def canonical_node(node: Any, *, printed: bool) -> Any:
    """Return a node without its origin and, unless `printed`, without what people only read."""
    if isinstance(node, tuple):
        return tuple(canonical_node(part, printed=printed) for part in node)
    if isinstance(node, dict):
        return {name: canonical_node(part, printed=printed) for name, part in node.items()}
    if not is_dataclass(node) or isinstance(node, type):
        return node
    kind = type(node)
    read = frozenset() if printed else PRINTED_FIELDS.get(kind, frozenset())
    names = (name for name in _fields(kind) if name not in read)
    return (kind.__name__, *(canonical_node(getattr(node, name), printed=printed) for name in names))


def _parts(node: Any) -> Parts:
    """Return the fields of a node; a value without fields is its own only one."""
    if is_dataclass(node) and not isinstance(node, type):
        return {name: getattr(node, name) for name in _fields(type(node))}
    return {"": node}


def _compare_members(kind: str, first_members: PartsByName, second_members: PartsByName) -> Iterator[NodeChange]:
    """Compare members by name."""
    for name in dict.fromkeys((*first_members, *second_members)):
        labels = (attribution_name(kind, name),)
        if name not in first_members or name not in second_members:
            yield NodeChange(kind, name, "new" if name in second_members else "gone", (), labels)
            continue
        first, second = first_members[name], second_members[name]
        common_fields = first.keys() & second.keys()
        differ = [
            each
            for each in dict.fromkeys((*first, *second))
            if each not in common_fields or not _same(first[each], second[each], printed=True)
        ]
        counts = [each for each in differ if not _is_print(each, first, second)]
        if differ:
            yield NodeChange(kind, name, "changed" if counts else "printed", tuple(counts or differ), labels)


def _is_print(field: str, first: Parts, second: Parts) -> bool:
    """Return whether a differing field is only read by people, or differs only in such parts."""
    owner = first.get(NODE_CLASS)
    if owner is not None and field in PRINTED_FIELDS.get(owner, ()):
        return True
    return field in first and field in second and _same(first[field], second[field], printed=False)


def _same(first: Any, second: Any, *, printed: bool) -> bool:
    if first is second:
        return True
    return bool(canonical_node(first, printed=printed) == canonical_node(second, printed=printed))


# Besides its fields a member has its class; the key is not the name of any field.
NODE_CLASS = "class of the node"


def _member(node: Any, **instead: Any) -> Parts:
    """Return what a node is compared by, with some fields replaced by derived values."""
    owner = {NODE_CLASS: type(node)} if is_dataclass(node) else {}
    return {**_parts(node), **owner, **instead}


def _nodes(members: Mapping[str, Any]) -> PartsByName:
    return {name: _member(node) for name, node in members.items()}


def _listed(members: Iterable[Any] | Mapping[str, Any]) -> PartsByName:
    """Return the members of a row by their label, name or title; those of one name are numbered."""
    if isinstance(members, Mapping):
        return _nodes(members)
    found: PartsByName = {}
    for node in members:
        name = next(str(getattr(node, each)) for each in ("label", "name", "title", "prefix") if hasattr(node, each))
        number = sum(known.partition("#")[0] == name for known in found)
        found[f"{name}#{number + 1}" if number else name] = _member(node)
    return found


def _single(node: Any) -> PartsByName:
    return {"": _member(node)} if node else {}


# ---------------------------------------------------------------------- what needs more than its fields


def _rules(rules: graph.Graph, other: graph.Graph) -> PartsByName:
    """Return rules for comparison; a rule that also defeats what the other graph lacks does not differ for that."""
    return {
        label: _member(rule, defeats=frozenset(each for each in rule.defeats if each in other.rules))
        for label, rule in rules.rules.items()
    }


def _terms(rules: graph.Graph, other: graph.Graph) -> PartsByName:
    """Return questions for comparison.

    Which rules are about one is part of the rules, and their order is irrelevant.
    """

    def has_same_terms(label: str) -> bool:
        return label in rules.rules and label in other.rules and rules.rules[label].terms == other.rules[label].terms

    return {
        name: _member(term, rules=frozenset(each for each in term.rules if has_same_terms(each)))
        for name, term in rules.terms.items()
    }


def _counters(rules: graph.Graph, other: graph.Graph) -> PartsByName:
    """Return counters without added factors that one graph alone prints, or that have their first value."""
    found: PartsByName = {}
    for name, each in rules.counters.items():
        counterpart = other.counters.get(name)
        at_first = {*each.first} & {*counterpart.first} if counterpart else set()
        excluded_factors = at_first | (added_names(rules, each.kind) - added_names(other, each.kind))
        reduced_counter = without_factors(each, excluded_factors)
        found[name] = _member(
            each, printed=reduced_counter.printed, first=reduced_counter.first, added=reduced_counter.added
        )
    return found


def _factors(rules: graph.Graph) -> PartsByName:
    """Return the factors that layers added to kinds."""
    return {each.key: {"type": each.part.type, "first": each.first} for each in added_factors(rules)}


def _charts(a: graph.Graph, b: graph.Graph) -> Iterator[NodeChange]:
    """Compare charts: their heads, then cell by cell; one in one graph only is one change."""
    for name in dict.fromkeys((*a.tables, *b.tables)):
        first_cells, second_cells = (_cells(each, each.tables[name]) if name in each.tables else {} for each in (a, b))
        if name not in a.tables or name not in b.tables:
            labels = (attribution_name("chart", name), *first_cells, *second_cells)
            yield NodeChange("chart", name, "new" if name in b.tables else "gone", (), labels)
            continue
        first_table, second_table = a.tables[name], b.tables[name]
        if len(first_table.keys) != len(second_table.keys):  # Charts of two games, of which no cell is comparable.
            yield NodeChange("chart", name, "changed", ("keys",), (attribution_name("chart", name), *second_cells))
            continue
        heads = []
        for table, cells, others in (
            (first_table, first_cells, second_cells),
            (second_table, second_cells, first_cells),
        ):
            order = [cell for cell in cells if cell in others] if table.hit == "first" else []
            heads.append({name: _member(table, rows=tuple(order))})
        yield from _compare_members("chart", heads[0], heads[1])
        yield from _compare_members("cell", first_cells, second_cells)


def _cells(rules: graph.Graph, table: graph.Table) -> PartsByName:
    """Return the cells of a chart; rows with the same keys have one name."""
    found = group_by(table.rows, lambda row: row_label(table, row, rules.vocabulary))
    return {label: {"rows": tuple(rows)} for label, rows in found.items()}


def _procedures(a: graph.Graph, b: graph.Graph) -> Iterator[NodeChange]:
    """Compare procedures with the same role, and the order of hooks on one event."""
    pairs = procedure_pairs(a, b)
    # Hooks are numbered: the order is compared by those that both graphs have, with the keys of the second one.
    names = {pair.first_key: pair.second_key for pair in pairs if pair.first_key and pair.second_key}
    for pair in pairs:
        name = pair.second_key or pair.first_key
        labels = (attribution_name("procedure", name),)
        if not pair.first_key or not pair.second_key:
            yield NodeChange("procedure", name, "new" if pair.second_key else "gone", (), labels)
            continue
        first, second = a.procedures[pair.first_key], b.procedures[pair.second_key]
        first_parts = _member(first, behind=_hooks_before(first, names, a))
        second_parts = _member(second, behind=_hooks_before(second, {key: key for key in names.values()}, b))
        found = list(_compare_members("procedure", {name: first_parts}, {name: second_parts}))
        for change in found:
            operation = "printed" if pair.is_equal and "behind" not in change.fields else change.operation
            preferred = "behind" not in change.fields and differ_in_preference(
                a.procedures[pair.first_key], b.procedures[pair.second_key]
            )
            yield NodeChange("procedure", name, operation, (PREFERRING,) if preferred else change.fields, labels)
    yield from _hook_order(pairs, a)


def _hooks_before(hook: graph.Procedure, names: Mapping[str, str], rules: graph.Graph) -> frozenset[str]:
    """Return the hooks that run before one, except those of this graph only."""
    return frozenset(names.get(key, key) for key in hook.behind if key in names or key not in rules.procedures)


def _hook_order(pairs: Iterable[ProcedurePair], a: graph.Graph) -> Iterator[NodeChange]:
    """Compare the order in which hooks of both graphs run on one event: that of their keys."""
    common_hooks = [pair for pair in pairs if pair.is_hook and pair.first_key and pair.second_key]
    for event in dict.fromkeys(a.procedures[pair.first_key].event for pair in common_hooks):
        hooks = [pair for pair in common_hooks if a.procedures[pair.first_key].event == event]
        if sorted(hooks, key=lambda pair: pair.first_key) != sorted(hooks, key=lambda pair: pair.second_key):
            yield NodeChange(HOOK_ORDER, event, "changed", (), (attribution_name(HOOK_ORDER, event),))


def _without_order(words: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the phases by name: a change of their order is one of the sequence of play."""
    phases = words.get("phase")
    if not isinstance(phases, graph.Enumeration):
        return words
    return {**words, "phase": replace(phases, members=tuple(sorted(phases.members, key=lambda each: each.name)))}


def _without_additions(words: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return kinds without what layers added to them, which is compared by itself."""
    return {
        name: replace(each, printed=tuple(part for part in each.printed if part.name not in dict(each.first)), first=())
        if isinstance(each, graph.Kind) and each.first
        else each
        for name, each in words.items()
    }


def _words(a: graph.Vocabulary, b: graph.Vocabulary) -> Iterator[NodeChange]:
    for field, kind in VOCABULARY.items():
        first_nodes, second_nodes = (
            _nodes(_without_additions(_without_order(getattr(each, field)))) for each in (a, b)
        )
        for change in _compare_members(kind, first_nodes, second_nodes):
            flag = b.flags.get(change.name) or a.flags.get(change.name) if kind == "flag" else None
            yield change if flag is None else replace(change, kind=flag.what, labels=(f"{flag.what} {change.name}",))
    for change in _compare_members("measure", _nodes(a.measures), _nodes(b.measures)):
        operation = "printed" if change.operation == "changed" else change.operation
        yield NodeChange("measure", change.name, operation, change.fields, change.labels)
    for change in _compare_members("wording", _nodes(a.wording), _nodes(b.wording)):
        yield NodeChange("wording", change.name, "printed", change.fields, change.labels)
