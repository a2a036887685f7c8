"""Compute the structural difference of two graphs: all nodes of one that are not equal in the other.

The input is two graphs; the output is `NodeChange`s, each of a kind of a closed list. Every field of every node counts,
including fields that are added to the classes; excluded are only origins and the name of a graph, and what people only
read makes a change of print (runtime/graph/printed_fields.py).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, get_args

from runtime.graph import nodes as graph
from runtime.graph.added_factors import added_factors, added_names, without_factors
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.grouping import group_by
from runtime.graph.printed_fields import BOOK, PRECONDITION, canonical_node, compared_fields, printed_fields
from runtime.graph.procedure_pairs import ProcedurePair, differ_in_preference, procedure_pairs
from runtime.graph.related_procedures import procedure_label
from runtime.graph.rows import row_label

HOOK_ORDER = "order of hooks"
# Parts of the vocabulary, by the kind of their members.
VOCABULARY = {
    each.name: each.name.removesuffix("s")
    for each in fields(graph.Vocabulary)
    if each.name not in ("measures", "wording", "origins")
}
# The first words of the labels of what is read by name: words of the vocabulary, and flags by their kinds.
WORDY = (*VOCABULARY.values(), *get_args(graph.FlagKind))

# The only differing field of a procedure if only the preferences of greedy players differ.
PREFERRING = "preferring"


@frozen_dataclass
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
    changes = [
        *_compare_members("rule", _rules(a, b), _rules(b, a)),
        *_compare_members("question", _terms(a, b), _terms(b, a)),
        *_charts(a, b),
        *_compare_members("counter", _counters(a, b), _counters(b, a)),
        *_compare_members("factor", _factors(a), _factors(b)),
        *_procedures(a, b),
        *_words(a.vocabulary, b.vocabulary),
        *_compare_members("always", _listed(a.always), _listed(b.always)),
        *_compare_members("outcome", _single(a.outcome), _single(b.outcome)),
        *_compare_members("aim", *(_nodes({aim.term: aim for aim in rules.aims}) for rules in (a, b))),
        *_compare_members("card", _single(a.scenario), _single(b.scenario)),
    ]
    for field, kind in BOOK.items():
        for change in _compare_members(kind, _listed(getattr(a, field)), _listed(getattr(b, field))):
            operation = change.operation if kind == PRECONDITION else "printed"
            changes.append(NodeChange(kind, change.name, operation, change.fields))
    return tuple(changes)


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


def _parts(node: Any) -> Parts:
    """Return the fields of a node; a value without fields is its own only one."""
    if is_dataclass(node) and not isinstance(node, type):
        return {field.name: getattr(node, field.name) for field in compared_fields(type(node))}
    return {"": node}


def _compare_members(kind: str, first_members: PartsByName, second_members: PartsByName) -> Iterator[NodeChange]:
    """Compare members by name."""
    for name in dict.fromkeys((*first_members, *second_members)):
        labels = (attribution_name(kind, name),)
        first, second = first_members.get(name), second_members.get(name)
        if first is None or second is None:
            yield NodeChange(kind, name, "gone" if second is None else "new", (), labels)
        elif differing := _differing_fields(first, second):
            computed = [field for field in differing if not _is_print(field, first, second)]
            yield NodeChange(kind, name, "changed" if computed else "printed", tuple(computed or differing), labels)


def _differing_fields(first: Parts, second: Parts) -> list[str]:
    return [
        field
        for field in dict.fromkeys((*first, *second))
        if field not in first or field not in second or not _same(first[field], second[field], printed=True)
    ]


def _is_print(field: str, first: Parts, second: Parts) -> bool:
    """Return whether a differing field is only read by people, or differs only in such parts."""
    owner = first.get(NODE_CLASS)
    if owner is not None and field in printed_fields(owner):
        return True
    return field in first and field in second and _same(first[field], second[field], printed=False)


def _same(first: Any, second: Any, *, printed: bool) -> bool:
    # Most nodes are equal in all parts, which is found faster.
    return bool(first == second or canonical_node(first, printed=printed) == canonical_node(second, printed=printed))


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
    parts: PartsByName = {}
    for node in members:
        name = next(str(getattr(node, field)) for field in ("label", "name", "title", "prefix") if hasattr(node, field))
        number = sum(known.partition("#")[0] == name for known in parts)
        parts[f"{name}#{number + 1}" if number else name] = _member(node)
    return parts


def _single(node: Any) -> PartsByName:
    return {"": _member(node)} if node else {}


# ---------------------------------------------------------------------- what needs more than its fields


def _rules(rules: graph.Graph, other: graph.Graph) -> PartsByName:
    """Return rules for comparison; a rule that also defeats what the other graph lacks does not differ for that."""
    return {
        label: _member(rule, defeats=frozenset(other.rules.keys() & rule.defeats))
        for label, rule in rules.rules.items()
    }


def _terms(rules: graph.Graph, other: graph.Graph) -> PartsByName:
    """Return questions for comparison.

    Which rules are about one is part of the rules, and their order is irrelevant.
    """
    common_labels = rules.rules.keys() & other.rules.keys()
    unmoved = {label for label in common_labels if rules.rules[label].terms == other.rules[label].terms}
    return {
        name: _member(term, rules=frozenset(unmoved.intersection(term.rules))) for name, term in rules.terms.items()
    }


def _counters(rules: graph.Graph, other: graph.Graph) -> PartsByName:
    """Return counters without added factors that one graph alone prints, or that have their first value."""
    parts: PartsByName = {}
    for name, counter in rules.counters.items():
        counterpart = other.counters.get(name)
        at_first = {*counter.first} & {*counterpart.first} if counterpart else set()
        excluded_factors = at_first | (added_names(rules, counter.kind) - added_names(other, counter.kind))
        reduced = without_factors(counter, excluded_factors)
        parts[name] = _member(counter, printed=reduced.printed, first=reduced.first, added=reduced.added)
    return parts


def _factors(rules: graph.Graph) -> PartsByName:
    """Return the factors that layers added to kinds."""
    return {factor.key: {"type": factor.part.type, "first": factor.first} for factor in added_factors(rules)}


def _charts(a: graph.Graph, b: graph.Graph) -> Iterator[NodeChange]:
    """Compare charts: their heads, then cell by cell; one in one graph only is one change."""
    for name in dict.fromkeys((*a.tables, *b.tables)):
        yield from _compare_charts(name, a, b)


def _compare_charts(name: str, a: graph.Graph, b: graph.Graph) -> Iterator[NodeChange]:
    label = attribution_name("chart", name)
    first_cells, second_cells = _cells(a, name), _cells(b, name)
    first, second = a.tables.get(name), b.tables.get(name)
    if first is None or second is None:
        operation = "gone" if second is None else "new"
        yield NodeChange("chart", name, operation, (), (label, *first_cells, *second_cells))
    elif len(first.keys) != len(second.keys):  # Charts of two games, of which no cell is comparable.
        yield NodeChange("chart", name, "changed", ("keys",), (label, *second_cells))
    else:
        first_head = {name: _chart_head(first, first_cells, second_cells)}
        second_head = {name: _chart_head(second, second_cells, first_cells)}
        yield from _compare_members("chart", first_head, second_head)
        yield from _compare_members("cell", first_cells, second_cells)


def _chart_head(table: graph.Table, cells: PartsByName, others: PartsByName) -> Parts:
    """Return a chart without its cells; of their order what both charts have, where it decides."""
    order = [cell for cell in cells if cell in others] if table.hit == "first" else []
    return _member(table, rows=tuple(order))


def _cells(rules: graph.Graph, name: str) -> PartsByName:
    """Return the cells of a chart, if there is one; rows with the same keys have one name."""
    if name not in rules.tables:
        return {}
    table = rules.tables[name]
    rows_by_label = group_by(table.rows, lambda row: row_label(table, row, rules.vocabulary))
    return {label: {"rows": tuple(rows)} for label, rows in rows_by_label.items()}


def _procedures(a: graph.Graph, b: graph.Graph) -> Iterator[NodeChange]:
    """Compare procedures with the same role, and the order of hooks on one event."""
    pairs = procedure_pairs(a, b)
    # Hooks are numbered: the order is compared by those that both graphs have, with the keys of the second one.
    names = {pair.first_key: pair.second_key for pair in pairs if pair.first_key and pair.second_key}
    second_names = {key: key for key in names.values()}
    for pair in pairs:
        name = pair.second_key or pair.first_key
        if not pair.first_key or not pair.second_key:
            labels = (attribution_name("procedure", name),)
            yield NodeChange("procedure", name, "new" if pair.second_key else "gone", (), labels)
            continue
        first, second = a.procedures[pair.first_key], b.procedures[pair.second_key]
        first_parts = _member(first, behind=_hooks_before(first, names, a))
        second_parts = _member(second, behind=_hooks_before(second, second_names, b))
        for change in _compare_members("procedure", {name: first_parts}, {name: second_parts}):
            if "behind" in change.fields:
                yield change
                continue
            changed_fields = (PREFERRING,) if differ_in_preference(first, second) else change.fields
            yield replace(change, operation="printed" if pair.is_equal else change.operation, fields=changed_fields)
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
    return {**words, "phase": replace(phases, members=tuple(sorted(phases.members, key=lambda word: word.name)))}


def _without_additions(words: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return kinds without what layers added to them, which is compared by itself."""
    reduced = dict(words)
    for name, kind in words.items():
        if isinstance(kind, graph.Kind) and kind.first:
            added = dict(kind.first)
            printed = tuple(factor for factor in kind.printed if factor.name not in added)
            reduced[name] = replace(kind, printed=printed, first=())
    return reduced


def _words(a: graph.Vocabulary, b: graph.Vocabulary) -> Iterator[NodeChange]:
    for field, kind in VOCABULARY.items():
        for change in _compare_members(kind, _vocabulary_nodes(a, field), _vocabulary_nodes(b, field)):
            flag = b.flags.get(change.name) or a.flags.get(change.name) if kind == "flag" else None
            yield change if flag is None else replace(change, kind=flag.what, labels=(f"{flag.what} {change.name}",))
    for change in _compare_members("measure", _nodes(a.measures), _nodes(b.measures)):
        yield replace(change, operation="printed") if change.operation == "changed" else change
    for change in _compare_members("wording", _nodes(a.wording), _nodes(b.wording)):
        yield replace(change, operation="printed")


def _vocabulary_nodes(words: graph.Vocabulary, field: str) -> PartsByName:
    return _nodes(_without_additions(_without_order(getattr(words, field))))
