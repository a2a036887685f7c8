"""Parts of two graphs that differ in nothing but what they are called: the first graph with the names of the second.

In: two graphs. Out: the first one, each such part under its name in the second, and the list of these renamings. What
is compared afterwards differs in what it does. A part is renamed if one graph alone has the old name, the other alone
the new one, both say the same in a canonical form without the name, and no other part is like them. That no more
differs with the new name than with the old is checked: an exception to the old label that was not written again for
the new one stays a change, and so do citations. A word says little by itself; it counts as renamed only if as much of
what speaks of it comes out the same with the new name as does not.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache, cached_property
from typing import Any, TypeVar

from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import dataclass
from runtime.graph.procedure_pairs import BINDING, canonical_procedure
from runtime.witness.position_file import scalar_text
from runtime.witness.structural_difference import BOOK, PRINTED, WORDS, Change, canonical_node, structural_difference

# NameChanges may wait for each other, so many times; of more than so many parts of a kind none is looked at.
ROUNDS, MOST = 4, 400
# What stands for a name in a canonical form.
ANONYMOUS = "*"
# What says enough by itself to be known again under another name.
TELLING = frozenset({"rule", "chart", "procedure", "counter"})
MEMBER = "member"
# Kinds of changes of which it can be looked up what they speak of.
BY_NODE = frozenset({"rule", "question", "chart", "cell", "counter", "procedure"})

Scope = Mapping[type, frozenset[str]]
# Where labels and names of a kind stand; those of all others may stand anywhere but in what people only read.
SCOPES: Mapping[str, Scope] = {
    "rule": {
        graph.Graph: frozenset({"rules"}),
        graph.Rule: frozenset({"label", "defeats", "relations"}),
        graph.Term: frozenset({"rules"}),
        graph.Ruling: frozenset({"rules", "clarifies"}),
        graph.Reading: frozenset({"rules"}),
        graph.Check: frozenset({"by", "because"}),
        graph.Refusal: frozenset({"by", "because"}),
        graph.Example: frozenset({"protects"}),
    },
    "chart": {
        graph.Graph: frozenset({"tables"}),
        graph.Table: frozenset({"name"}),
        graph.Cell: frozenset({"table"}),
    },
    "question": {
        graph.Graph: frozenset({"terms", "outcome"}),
        graph.Term: frozenset({"name"}),
        graph.Rule: frozenset({"terms"}),
        graph.Ask: frozenset({"term"}),
        graph.Given: frozenset({"term"}),
    },
    "procedure": {
        graph.Graph: frozenset({"procedures"}),
        graph.Procedure: frozenset({"name", "behind"}),
        graph.Offer: frozenset({"actions"}),
        graph.Do: frozenset({"resolution"}),
        graph.Perform: frozenset({"action"}),
        graph.Begin: frozenset({"action"}),
        graph.Precondition: frozenset({"exempt"}),
        graph.Station: frozenset({"name"}),
        graph.Rule: frozenset({"relations"}),
        graph.Ruling: frozenset({"concerns"}),
    },
}  # fmt: skip
NOT_NAMES = re.compile(r"[\s{}]")
PARTS = re.compile(r"[.:#\[\], ]")


@dataclass(frozen=True, slots=True)
class NameChange:
    """One part that is called otherwise: `kind` as changes have it, `old` and `new` as they call it."""

    kind: str
    old: str
    new: str

    @property
    def words(self) -> tuple[str, str]:
        """Return the parts of the two names that differ."""
        one, other = (PARTS.split(name) for name in (self.old, self.new))
        return next((mine, theirs) for mine, theirs in zip(one, other, strict=True) if mine != theirs)


class NameChanges(tuple[NameChange, ...]):
    """The renamings between two graphs, and their inverse."""

    __slots__ = ()

    def in_first(self, text: str) -> str:
        """Write a text of the second graph's words in those of the first."""
        for each in self:
            old, new = each.words
            text = re.sub(rf"(?<![\w-]){re.escape(new)}(?![\w-])", old, text)
        return text

    def read_translated(self, read: Callable[[int, str, str], str | None]) -> Callable[[int, str, str], str | None]:
        """Translate a reader of positions so that it accepts the names of either graph."""

        def own(which: int, file: str, question: str) -> str | None:
            return read(which, file, question) if which else read(0, self.in_first(file), self.in_first(question))

        return own


def with_names_of(a: graph.Graph, b: graph.Graph) -> tuple[graph.Graph, NameChanges]:
    """Return the first graph with the names that the second has for the same parts, and what was renamed."""
    found: list[NameChange] = []
    changes = _told(structural_difference(a, b))
    for _ in range(ROUNDS):
        candidates = list(_candidates(a, b, changes))
        if not candidates:
            break
        renamed, after, kept = a, changes, candidates
        while kept:
            renamed = _renamed_all(a, kept)
            after = _told(structural_difference(renamed, b))
            holding = [each for each in kept if _holds(each, changes, after, renamed, b)]
            if len(holding) == len(kept):
                break
            kept = holding
        if not kept:
            break
        a, changes = renamed, after
        found += kept
    return a, NameChanges(found)


# ---------------------------------------------------------------------- what may be the same


def _told(changes: Iterable[Change]) -> tuple[Change, ...]:
    """Return changes without those that concern the book only, or only what is printed."""
    return tuple(each for each in changes if each.kind not in BOOK.values() and each.how != "printed")


def _candidates(a: graph.Graph, b: graph.Graph, changes: tuple[Change, ...]) -> Iterator[NameChange]:
    """List parts that are alike but for the name, and like no other part of either graph that is gone or new."""
    kinds: dict[str, tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
    taken = _Taken(a)
    for each in changes:
        if each.how in {"gone", "new"}:
            kinds[each.kind][each.how == "new"].append(each.name)
        elif each.kind == "enum":
            yield from (one for one in _members(a, b, each.name) if taken.leaves(one))
    for kind, (gone, new) in kinds.items():
        if not gone or not new or max(len(gone), len(new)) > MOST:
            continue
        shapes = [_by_shape(rules, kind, names) for rules, names in ((a, gone), (b, new))]
        for shape, olds in shapes[0].items():
            news = shapes[1].get(shape, [])
            if len(olds) == len(news) == 1 and taken.leaves(one := NameChange(kind, olds[0], news[0])):
                yield one


def _members(a: graph.Graph, b: graph.Graph, enum: str) -> Iterator[NameChange]:
    """List members of an enumeration that stand in the same places under other names."""
    here, there = ([word.name for word in rules.vocabulary.enums[enum].members] for rules in (a, b))
    if len(here) == len(there):
        for old, new in zip(here, there, strict=True):
            if old not in there and new not in here:
                yield NameChange(MEMBER, f"{enum}.{old}", f"{enum}.{new}")


class _Taken:
    """The names that a graph uses, listed when somebody asks."""

    def __init__(self, rules: graph.Graph) -> None:
        self.rules = rules

    @cached_property
    def names(self) -> set[str]:
        """List the parts of all names."""
        return _names_in(self.rules)

    def leaves(self, each: NameChange) -> bool:
        """Return whether two names differ in one part, and the new one stands for nothing else."""
        one, other = (PARTS.split(name) for name in (each.old, each.new))
        differing = sum(mine != theirs for mine, theirs in zip(one, other, strict=False))
        if len(one) != len(other) or differing != 1:
            return False
        return each.kind in SCOPES or each.words[1] not in self.names


def _by_shape(rules: graph.Graph, kind: str, names: Iterable[str]) -> dict[str, list[str]]:
    """List parts by what they say, whatever they are called."""
    found: dict[str, list[str]] = defaultdict(list)
    for name in names:
        if (shape := _shape(rules, kind, name)) is not None:
            found[shape].append(name)
    return found


def _shape(rules: graph.Graph, kind: str, name: str) -> str | None:
    """Write a part down without its name and without what people only read; None of what is no named part."""
    node: Any
    match kind:
        case "rule":
            rule = rules.rules[name]
            # The only rule of a `define` is called as what it defines.
            terms = tuple(ANONYMOUS if each == name else each for each in rule.terms)
            node = (terms, rule.verb, rule.value, rule.names, rule.guard)
            # What concludes nothing is known by what it overrules, or amends.
            node += () if rule.verb else (rule.defeats, rule.relations)
        case "question":
            node = replace(rules.terms[name], name=ANONYMOUS, rules=())
        case "chart":
            node = replace(rules.tables[name], name=ANONYMOUS)
        case "counter":
            node = replace(rules.counters[name], id=ANONYMOUS, nicknames=())
        case "procedure":
            procedure = rules.procedures[name]
            if procedure.what not in {"action", "resolution"}:
                return None
            return repr((procedure.what, canonical_procedure(procedure)))
        case _:
            node = _word(rules, kind, name)
            if node is None:
                return None
    return repr(canonical_node(node, printed=False))


def _word(rules: graph.Graph, kind: str, name: str) -> Any:
    """Find what a stack declares, its own name left out."""
    field = next((field for field, called in WORDS.items() if called == kind), "flags")
    node = getattr(rules.vocabulary, field).get(name)
    if not is_dataclass(node) or isinstance(node, type):
        return None
    return replace(node, name=ANONYMOUS) if "name" in {each.name for each in fields(node)} else node


# ---------------------------------------------------------------------- whether it is the same


def _holds(
    each: NameChange, before: tuple[Change, ...], after: tuple[Change, ...], a: graph.Graph, b: graph.Graph
) -> bool:
    """Return whether a renaming settles changes and makes none."""
    left = {(change.kind, change.name) for change in after}
    if any(change.how != "changed" and (change.kind, change.name) in {(each.kind, each.old), (each.kind, each.new)}
           for change in after):  # fmt: skip
        return False
    known = {(change.kind, change.name) for change in before}
    new = each.words[1]
    if each.kind not in SCOPES and any(change.how == "changed" and (change.kind, change.name) not in known
                                       and change.kind not in BY_NODE for change in after):  # fmt: skip
        return False
    mentioning = {
        (change.kind, change.name) for change in after
        if (change.kind, change.name) != (each.kind, each.new) and _mentions(change, new, each.kind, (a, b))
    }  # fmt: skip
    if mentioning - known - {(each.kind, each.new)}:
        return False
    settled = len(known - left) - (1 if each.kind == MEMBER else 2)
    return each.kind in TELLING or settled >= max(1, len(mentioning))


def _mentions(change: Change, word: str, kind: str, graphs: tuple[graph.Graph, graph.Graph]) -> bool:
    """Return whether what has changed speaks of a word under its new name."""
    nodes = [node for rules in graphs if (node := _node(rules, change)) is not None]
    return any(word in _names_in(node, SCOPES.get(kind)) for node in nodes)


def _node(rules: graph.Graph, change: Change) -> Any:
    match change.kind:
        case "rule":
            return rules.rules.get(change.name)
        case "question":
            return rules.terms.get(change.name)
        case "chart" | "cell":
            return rules.tables.get(change.name.partition("[")[0])
        case "counter":
            return rules.counters.get(change.name)
        case "procedure":
            return rules.procedures.get(change.name)
        case _:
            return None


# ---------------------------------------------------------------------- names in nodes


def rename_in_node(node: Any, change: Callable[[str], str], scope: Scope | None = None, *, named: bool = False) -> Any:
    """Rename within a node, only in the fields of a scope if one is given; unchanged parts are shared."""
    if isinstance(node, str):
        return change(node) if named else node
    if isinstance(node, tuple):
        parts = tuple(rename_in_node(part, change, scope, named=named) for part in node)
        return node if all(new is old for new, old in zip(parts, node, strict=True)) else parts
    if isinstance(node, dict):
        made = {
            (change(key) if named and isinstance(key, str) else key): rename_in_node(
                part, change, scope, named=named and not is_dataclass(part)
            )
            for key, part in node.items()
        }
        same = all(key is old and made[key] is node[old] for key, old in zip(made, node, strict=True))
        return node if same else made
    if not is_dataclass(node) or isinstance(node, type):
        return node
    fresh = {}
    for name, applies in _named_fields(type(node), frozenset(scope.items()) if scope is not None else None):
        old = getattr(node, name)
        new = rename_in_node(old, change, scope, named=applies)
        if new is not old:
            fresh[name] = new
    return replace(node, **fresh) if fresh else node


@cache
def _named_fields(kind: type, scope: frozenset[tuple[type, frozenset[str]]] | None) -> tuple[tuple[str, bool], ...]:
    """List the fields of a node, each with whether names stand in it that a scope is about."""
    left_out = {"origin", "origins", "stack", "hash"}
    wanted = None if scope is None else dict(scope).get(kind, frozenset())
    # What people read keeps its words, and names of values are those of their rule or procedure alone.
    plain = {*PRINTED.get(kind, ()), BINDING.get(kind, "")}
    names = (field.name for field in fields(kind) if field.name not in left_out)
    return tuple((name, name not in plain if wanted is None else name in wanted) for name in names)


def _renamed_all(a: graph.Graph, found: Iterable[NameChange]) -> graph.Graph:
    """Apply renamings to a graph, those of one scope at once."""
    kinds: dict[str, dict[str, str]] = defaultdict(dict)
    for each in found:
        old, new = each.words
        kinds[each.kind if each.kind in SCOPES else ""][old] = new
    for kind, words in kinds.items():
        a = rename_in_node(a, _changing(words), SCOPES.get(kind))
    return a


def _changing(words: Mapping[str, str]) -> Callable[[str], str]:
    """Build the function that replaces words in a name."""

    @cache
    def change(name: str) -> str:
        if NOT_NAMES.search(name):
            return name
        parts = re.split(r"([.:#])", name)
        made = [words.get(part, part) for part in parts]
        return name if made == parts else "".join(made)

    return change


def _names_in(node: Any, scope: Scope | None = None) -> set[str]:
    """List the parts of all names in a node."""
    found: set[str] = set()

    def note(name: str) -> str:
        if not NOT_NAMES.search(name):
            found.update(PARTS.split(name))
        return name

    rename_in_node(node, note, scope)
    return found


# ---------------------------------------------------------------------- the way back

FoundT = TypeVar("FoundT")
# What is written in the words of a position file, beside the file.
WRITTEN = ("question", "act", "file")


def with_files_in_own_names(found: FoundT, stack: str, renamings: NameChanges) -> FoundT:
    """Write the positions of the first stack, and what is asked or done in them, in its own words."""
    head = f"\nstack: {scalar_text(stack)}\n"

    def own(node: Any) -> Any:
        if isinstance(node, tuple):
            parts = tuple(map(own, node))
            return node if all(new is old for new, old in zip(parts, node, strict=True)) else parts
        if not is_dataclass(node) or isinstance(node, type) or type(node).__module__.startswith("runtime.graph"):
            return node
        names = [field.name for field in fields(node)]
        changed = {name: new for name in names if (new := own(getattr(node, name))) is not getattr(node, name)}
        if head in getattr(node, "file", ""):
            changed |= {name: renamings.in_first(getattr(node, name)) for name in WRITTEN if name in names}
        return replace(node, **changed) if changed else node

    return own(found)  # type: ignore[no-any-return]  # of its own class
