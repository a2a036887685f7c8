"""Compute the structural difference of two graphs: all nodes of one that are not equal in the other.

The input is two graphs; the output is `Change`s, each of a kind of a closed list. Every field of every node counts,
including fields that are added to the classes; excluded is only what `ELSEWHERE` lists (origins, names of a graph), and
what `PRINTED` lists makes a change of print: people read it, and no answer depends on it.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from typing import Any

from runtime.graph import nodes as graph
from runtime.graph.added_factors import added_factors, added_names, without_factors
from runtime.graph.procedure_pairs import ProcedurePair, differ_in_preference, procedure_pairs
from runtime.graph.rows import row_label

# Fields with the origin of a node, or with the name of a graph as a whole.
ELSEWHERE: Mapping[type, frozenset[str]] = {
    graph.Graph: frozenset({"version", "stack", "hash"}),
    graph.Vocabulary: frozenset({"origins"}),
    graph.Scenario: frozenset({"lines"}),
}
ORIGIN = "origin"
# Fields that people read and from which nothing is computed.
PRINTED: Mapping[type, frozenset[str]] = {
    graph.Term: frozenset({"reads", "denied", "cites"}),
    graph.Rule: frozenset({"relations", "case", "ruling", "reading", "cites", "prose"}),
    graph.TableRow: frozenset({"cites"}),
    graph.Table: frozenset({"reads", "cites"}),
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
PRECONDITION = "precondition"
# Whole parts of a graph that answer nothing: the book prints them, `test` runs them, `audit` checks games against them.
BOOK = {"layers": "layer", "documents": "document", "cases": "case", "rulings": "ruling", "disputes": "dispute",
        "examples": "example", "preconditions": PRECONDITION}  # fmt: skip
# Parts of the vocabulary, by the kind of their members.
WORDS = {"domains": "domain", "enums": "enum", "scales": "scale", "kinds": "kind", "flags": "flag", "tracks": "track",
         "relations": "relation", "records": "record", "events": "event"}  # fmt: skip

# The only differing field of a procedure if only the preferences of greedy players differ.
PREFERRING = "preferring"

# The kinds of changes, in the order of reports.
KINDS = (
    "rule",
    "question",
    "cell",
    "chart",
    "counter",
    "factor",
    "procedure",
    "order of hooks",
    *WORDS.values(),
    "trait",
    "feature",
    "path",
    "place",
    "status",
    "measure",
    "always",
    "outcome",
    "card",
    "wording",
    *BOOK.values(),
)


@dataclass(frozen=True, slots=True)
class Change:
    """One node that differs. `how` is new, gone, changed, or printed (nothing is computed from what differs).

    `fields` are those that differ, for a node in both graphs. `labels` are the names of the node in attributions of
    answers: a rule by its label, a cell as `chart[keys]`.
    """

    kind: str
    name: str
    how: str
    fields: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()


def structural_difference(a: graph.Graph, b: graph.Graph) -> tuple[Change, ...]:
    """Return all changes from one graph to another."""
    found = [
        *_compared("rule", _rules(a, b), _rules(b, a)),
        *_compared("question", _terms(a, b), _terms(b, a)),
        *_charts(a, b),
        *_compared("counter", _counters(a, b), _counters(b, a)),
        *_compared("factor", _factors(a), _factors(b)),
        *_procedures(a, b),
        *_words(a.vocabulary, b.vocabulary),
        *_compared("always", _listed(a.always), _listed(b.always)),
        *_compared("outcome", _single(a.outcome), _single(b.outcome)),
        *_compared("card", _single(a.scenario), _single(b.scenario)),
    ]
    for field, kind in BOOK.items():
        here, there = (_listed(getattr(each, field)) for each in (a, b))
        printed = kind != PRECONDITION
        found += (Change(kind, each.name, "printed" if printed else each.how, each.fields)
                  for each in _compared(kind, here, there))  # fmt: skip
    return tuple(found)


# ---------------------------------------------------------------------- what a node is made of

Parts = dict[str, Any]  # The fields of a node, without the excluded ones.
Members = dict[str, Parts]


def label_of(kind: str, name: str) -> str:
    """Return the name of a node in attributions of answers."""
    match kind:
        case "rule" | "cell":
            return name
        case "question":
            return f"default of {name}"
        case "procedure":
            return _procedure_label(name)
        case _:
            return f"{kind} {name}".strip()


def _procedure_label(key: str) -> str:
    """Return a readable label of a procedure: an action, a resolution, a hook by its event, the sequence of play."""
    what, _, name = key.partition(":")
    return f"after {name.partition('#')[0]}" if what == "hook" else f"{what} {name}".strip()


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
    read = frozenset() if printed else PRINTED.get(kind, frozenset())
    kept = (name for name in _fields(kind) if name not in read)
    return (kind.__name__, *(canonical_node(getattr(node, name), printed=printed) for name in kept))


def _parts(node: Any) -> Parts:
    """Return the fields of a node; a value without fields is its own only one."""
    if is_dataclass(node) and not isinstance(node, type):
        return {name: getattr(node, name) for name in _fields(type(node))}
    return {"": node}


def _compared(kind: str, here: Members, there: Members) -> Iterator[Change]:
    """Compare members by name."""
    for name in dict.fromkeys((*here, *there)):
        labels = (label_of(kind, name),)
        if name not in here or name not in there:
            yield Change(kind, name, "new" if name in there else "gone", (), labels)
            continue
        mine, theirs = here[name], there[name]
        both = mine.keys() & theirs.keys()
        differ = [
            each
            for each in dict.fromkeys((*mine, *theirs))
            if each not in both or not _same(mine[each], theirs[each], printed=True)
        ]
        counts = [each for each in differ if not _is_print(each, mine, theirs)]
        if differ:
            yield Change(kind, name, "changed" if counts else "printed", tuple(counts or differ), labels)


def _is_print(field: str, mine: Parts, theirs: Parts) -> bool:
    """Return whether a differing field is only read by people, or differs only in such parts."""
    owner = mine.get(OWNER)
    if owner is not None and field in PRINTED.get(owner, ()):
        return True
    return field in mine and field in theirs and _same(mine[field], theirs[field], printed=False)


def _same(mine: Any, theirs: Any, *, printed: bool) -> bool:
    if mine is theirs:
        return True
    return bool(canonical_node(mine, printed=printed) == canonical_node(theirs, printed=printed))


# Besides its fields a member has its class; the key is not the name of any field.
OWNER = "class of the node"


def _member(node: Any, **instead: Any) -> Parts:
    """Return what a node is compared by, with some fields replaced by derived values."""
    owner = {OWNER: type(node)} if is_dataclass(node) else {}
    return {**_parts(node), **owner, **instead}


def _nodes(members: Mapping[str, Any]) -> Members:
    return {name: _member(node) for name, node in members.items()}


def _listed(members: Iterable[Any] | Mapping[str, Any]) -> Members:
    """Return the members of a row by their label, name or title; those of one name are numbered."""
    if isinstance(members, Mapping):
        return _nodes(members)
    found: Members = {}
    for node in members:
        name = next(str(getattr(node, each)) for each in ("label", "name", "title", "prefix") if hasattr(node, each))
        number = sum(known.partition("#")[0] == name for known in found)
        found[f"{name}#{number + 1}" if number else name] = _member(node)
    return found


def _single(node: Any) -> Members:
    return {"": _member(node)} if node else {}


# ---------------------------------------------------------------------- what needs more than its fields


def _rules(mine: graph.Graph, other: graph.Graph) -> Members:
    """Return rules for comparison; a rule that also defeats what the other graph lacks does not differ for that."""
    return {
        label: _member(rule, defeats=frozenset(each for each in rule.defeats if each in other.rules))
        for label, rule in mine.rules.items()
    }


def _terms(mine: graph.Graph, other: graph.Graph) -> Members:
    """Return questions for comparison.

    Which rules are about one is part of the rules, and their order is irrelevant.
    """

    def unsaid(label: str) -> bool:
        return label in mine.rules and label in other.rules and mine.rules[label].terms == other.rules[label].terms

    return {
        name: _member(term, rules=frozenset(each for each in term.rules if unsaid(each)))
        for name, term in mine.terms.items()
    }


def _counters(mine: graph.Graph, other: graph.Graph) -> Members:
    """Return counters without added factors that one graph alone prints, or that have their first value."""
    found: Members = {}
    for name, each in mine.counters.items():
        twin = other.counters.get(name)
        at_first = {*each.first} & {*twin.first} if twin else set()
        told = at_first | (added_names(mine, each.kind) - added_names(other, each.kind))
        kept = without_factors(each, told)
        found[name] = _member(each, printed=kept.printed, first=kept.first, added=kept.added)
    return found


def _factors(rules: graph.Graph) -> Members:
    """Return the factors that layers added to kinds."""
    return {each.key: {"type": each.part.type, "first": each.first} for each in added_factors(rules)}


def _charts(a: graph.Graph, b: graph.Graph) -> Iterator[Change]:
    """Compare charts: their heads, then cell by cell; one in one graph only is one change."""
    for name in dict.fromkeys((*a.tables, *b.tables)):
        here, there = (_cells(each, each.tables[name]) if name in each.tables else {} for each in (a, b))
        if name not in a.tables or name not in b.tables:
            labels = (label_of("chart", name), *here, *there)
            yield Change("chart", name, "new" if name in b.tables else "gone", (), labels)
            continue
        one, other = a.tables[name], b.tables[name]
        shared = [[cell for cell in cells if cell in here and cell in there] for cells in (here, there)]
        orders = [cells if table.hit == "first" else [] for cells, table in zip(shared, (one, other), strict=True)]
        heads = [{name: _member(table, rows=tuple(order))} for table, order in zip((one, other), orders, strict=True)]
        yield from _compared("chart", heads[0], heads[1])
        yield from _compared("cell", here, there)


def _cells(rules: graph.Graph, table: graph.Table) -> Members:
    """Return the cells of a chart; rows with the same keys have one name."""
    found: dict[str, list[Any]] = {}
    for row in table.rows:
        found.setdefault(row_label(table, row, rules.vocabulary), []).append(row)
    return {label: {"rows": tuple(rows)} for label, rows in found.items()}


def _procedures(a: graph.Graph, b: graph.Graph) -> Iterator[Change]:
    """Compare procedures with the same role, and the order of hooks on one event."""
    pairs = procedure_pairs(a, b)
    # Hooks are numbered: the order is compared by those that both graphs have, with the keys of the second one.
    names = {pair.here: pair.there for pair in pairs if pair.here and pair.there}
    for pair in pairs:
        name = pair.there or pair.here
        labels = (label_of("procedure", name),)
        if not pair.here or not pair.there:
            yield Change("procedure", name, "new" if pair.there else "gone", (), labels)
            continue
        mine, theirs = a.procedures[pair.here], b.procedures[pair.there]
        one = _member(mine, behind=_before(mine, names, a))
        other = _member(theirs, behind=_before(theirs, {key: key for key in names.values()}, b))
        found = list(_compared("procedure", {name: one}, {name: other}))
        for change in found:
            how = "printed" if pair.same and "behind" not in change.fields else change.how
            preferred = "behind" not in change.fields and differ_in_preference(
                a.procedures[pair.here], b.procedures[pair.there]
            )
            yield Change("procedure", name, how, (PREFERRING,) if preferred else change.fields, labels)
    yield from _hook_order(pairs, a)


def _before(hook: graph.Procedure, names: Mapping[str, str], rules: graph.Graph) -> frozenset[str]:
    """Return the hooks that run before one, except those of this graph only."""
    return frozenset(names.get(key, key) for key in hook.behind if key in names or key not in rules.procedures)


def _hook_order(pairs: Iterable[ProcedurePair], a: graph.Graph) -> Iterator[Change]:
    """Compare the order in which hooks of both graphs run on one event: that of their keys."""
    both = [pair for pair in pairs if pair.is_hook and pair.here and pair.there]
    for event in dict.fromkeys(a.procedures[pair.here].event for pair in both):
        mine = [pair for pair in both if a.procedures[pair.here].event == event]
        if sorted(mine, key=lambda pair: pair.here) != sorted(mine, key=lambda pair: pair.there):
            yield Change("order of hooks", event, "changed", (), (label_of("order of hooks", event),))


def _without_order(words: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the phases by name: a change of their order is one of the sequence of play."""
    phases = words.get("phase")
    if not isinstance(phases, graph.Enumeration):
        return words
    return {**words, "phase": replace(phases, members=tuple(sorted(phases.members, key=lambda each: each.name)))}


def _bare(words: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return kinds without what layers added to them, which is compared by itself."""
    return {
        name: replace(each, printed=tuple(part for part in each.printed if part.name not in dict(each.first)), first=())
        if isinstance(each, graph.Kind) and each.first else each
        for name, each in words.items()
    }  # fmt: skip


def _words(a: graph.Vocabulary, b: graph.Vocabulary) -> Iterator[Change]:
    for field, kind in WORDS.items():
        one, other = (_nodes(_bare(_without_order(getattr(each, field)))) for each in (a, b))
        for change in _compared(kind, one, other):
            flag = b.flags.get(change.name) or a.flags.get(change.name) if kind == "flag" else None
            yield change if flag is None else replace(change, kind=flag.what, labels=(f"{flag.what} {change.name}",))
    for change in _compared("measure", _nodes(a.measures), _nodes(b.measures)):
        how = "printed" if change.how == "changed" else change.how
        yield Change("measure", change.name, how, change.fields, change.labels)
    for change in _compared("wording", _nodes(a.wording), _nodes(b.wording)):
        yield Change("wording", change.name, "printed", change.fields, change.labels)
