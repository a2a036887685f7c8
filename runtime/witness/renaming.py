"""Detect renamed declarations: the first of two graphs, rewritten to the names of the second.

The input is two graphs; the output is the first one, with each renamed part under its name in the second, and the list
of renamings; the remaining differences are semantic. A part is a candidate if only the first graph has the old name,
only the second the new one, both have the same canonical form without the name, and no other part has that form. A
candidate is accepted if the structural difference with the new name is no larger than with the old one: an exception to
the old label that was not written again for the new one stays a change, and so do citations. The canonical form of a
word alone is weak evidence, so a word is accepted only if at least as many of the parts that mention it become equal as
stay different.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache, cached_property
from typing import Any, TypeVar

from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import dataclass
from runtime.graph.members import members_of
from runtime.graph.procedure_pairs import BINDING, canonical_procedure
from runtime.graph.walk import fields_of, map_children
from runtime.witness.position_file import scalar_text
from runtime.witness.structural_difference import (
    BOOK,
    PRINTED_FIELDS,
    VOCABULARY,
    NodeChange,
    canonical_node,
    structural_difference,
)

Scope = Mapping[type, frozenset[str]]
# The fields that hold labels and names of a kind; names of other kinds may occur in any field that is not prose.
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
NAME_SEPARATOR = re.compile(r"[.:#\[\], ]")


def _rename_in_node(node: Any, change: Callable[[str], str], scope: Scope | None, *, named: bool = False) -> Any:
    """Return a renamed node; a scope limits the fields that are renamed, and unchanged parts are shared."""
    if isinstance(node, str):
        return change(node) if named else node
    if isinstance(node, tuple):
        parts = tuple(_rename_in_node(part, change, scope, named=named) for part in node)
        return node if all(new is old for new, old in zip(parts, node, strict=True)) else parts
    if isinstance(node, dict):
        entries = {
            (change(key) if named and isinstance(key, str) else key): _rename_in_node(
                part, change, scope, named=named and not is_dataclass(part)
            )
            for key, part in node.items()
        }
        same = all(key is old and entries[key] is node[old] for key, old in zip(entries, node, strict=True))
        return node if same else entries
    if not is_dataclass(node) or isinstance(node, type):
        return node
    fresh = {}
    for name, applies in _named_fields(type(node), frozenset(scope.items()) if scope is not None else None):
        old = getattr(node, name)
        new = _rename_in_node(old, change, scope, named=applies)
        if new is not old:
            fresh[name] = new
    return replace(node, **fresh) if fresh else node


@cache
def _named_fields(kind: type, scope: frozenset[tuple[type, frozenset[str]]] | None) -> tuple[tuple[str, bool], ...]:
    """Return the fields of a node, each with whether it holds names that a scope covers."""
    left_out = {"origin", "origins", "stack", "hash"}
    scope_fields = None if scope is None else dict(scope).get(kind, frozenset())
    # Prose is unchanged, and bound names are local to their rule or procedure.
    plain = {*PRINTED_FIELDS.get(kind, ()), BINDING.get(kind, "")}
    names = (field.name for field in fields(kind) if field.name not in left_out)
    return tuple((name, name not in plain if scope_fields is None else name in scope_fields) for name in names)


def _word_replacer(words: Mapping[str, str]) -> Callable[[str], str]:
    """Build the function that replaces words in a name."""

    @cache
    def change(name: str) -> str:
        if NOT_NAMES.search(name):
            return name
        parts = re.split(r"([.:#])", name)
        new_parts = [words.get(part, part) for part in parts]
        return name if new_parts == parts else "".join(new_parts)

    return change


def names_in(node: Any, scope: Scope | None = None) -> set[str]:
    """Return the components of all names in a node."""
    found: set[str] = set()

    def add_name(name: str) -> str:
        if not NOT_NAMES.search(name):
            found.update(NAME_SEPARATOR.split(name))
        return name

    _rename_in_node(node, add_name, scope)
    return found


# The most rounds, as one renaming may enable another; a kind with more than `MOST_CANDIDATES` candidates is skipped.
MOST_RENAMING_ROUNDS, MOST_CANDIDATES = 4, 400
# The placeholder for a name in a canonical form.
ANONYMOUS = "*"
# Kinds whose canonical form is sufficient evidence.
CANONICALLY_MATCHED = frozenset({"rule", "chart", "procedure", "counter"})
MEMBER_KIND = "member"
# Kinds of changes whose nodes can be searched for names, with their fields of a graph.
BY_NODE = {"rule": "rules", "question": "terms", "chart": "tables", "cell": "tables", "counter": "counters",
           "procedure": "procedures"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class NameChange:
    """The renaming of one part; `kind`, `old` and `new` as in `NodeChange`."""

    kind: str
    old: str
    new: str

    @property
    def words(self) -> tuple[str, str]:
        """Return the components in which the two names differ."""
        parts = zip(*(NAME_SEPARATOR.split(name) for name in (self.old, self.new)), strict=True)
        return next((old_part, new_part) for old_part, new_part in parts if old_part != new_part)


class NameChanges(tuple[NameChange, ...]):
    """The renamings between two graphs, and their inverse."""

    __slots__ = ()

    def to_first_names(self, text: str) -> str:
        """Translate a text from the names of the second graph to those of the first, in one pass."""
        olds: dict[str, str] = {}
        for old, new in (each.words for each in self):
            olds.setdefault(new, old)
        if not olds:
            return text
        # One pass: a name that is new for one part may be the old one of another.
        names = "|".join(map(re.escape, sorted(olds, key=len, reverse=True)))
        return re.sub(rf"(?<![\w-])({names})(?![\w-])", lambda found: olds[found[1]], text)

    def read_translated(self, read: Callable[[int, str, str], str | None]) -> Callable[[int, str, str], str | None]:
        """Translate a reader of positions so that it accepts the names of either graph."""

        def read_own(which: int, file: str, question: str) -> str | None:
            if which:
                return read(which, file, question)
            return read(0, self.to_first_names(file), self.to_first_names(question))

        return read_own


def with_names_of(a: graph.Graph, b: graph.Graph) -> tuple[graph.Graph, NameChanges]:
    """Return the first graph with the names that the second has for the same parts, and the renamings."""
    found: list[NameChange] = []
    changes = _effective_changes(structural_difference(a, b))
    for _ in range(MOST_RENAMING_ROUNDS):
        candidates = list(_candidates(a, b, changes))
        if not candidates:
            break
        renamed, after, renamings = a, changes, candidates
        while renamings:
            renamed = _renamed_all(a, renamings)
            after = _effective_changes(structural_difference(renamed, b))
            holding = [each for each in renamings if _is_confirmed(each, changes, after, renamed, b)]
            if len(holding) == len(renamings):
                break
            renamings = holding
        if not renamings:
            break
        a, changes = renamed, after
        found += renamings
    return a, NameChanges(found)


# ---------------------------------------------------------------------- what may be the same


def _effective_changes(changes: Iterable[NodeChange]) -> tuple[NodeChange, ...]:
    """Return changes without those that concern the book only, or only what is printed."""
    return tuple(each for each in changes if each.kind not in BOOK.values() and each.operation != "printed")


def _candidates(a: graph.Graph, b: graph.Graph, changes: tuple[NodeChange, ...]) -> Iterator[NameChange]:
    """Yield pairs of a removed and an added part that are equal except for the name, and equal to no other part."""
    kinds: dict[str, tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
    used_names = _UsedNames(a)
    for each in changes:
        if each.operation in {"gone", "new"}:
            kinds[each.kind][each.operation == "new"].append(each.name)
        elif each.kind == "enum":
            yield from (renaming for renaming in _members(a, b, each.name) if used_names.is_free_renaming(renaming))
    for kind, (removed_names, added_names) in kinds.items():
        if not removed_names or not added_names or max(len(removed_names), len(added_names)) > MOST_CANDIDATES:
            continue
        shapes = [_by_shape(rules, kind, names) for rules, names in ((a, removed_names), (b, added_names))]
        for shape, olds in shapes[0].items():
            news = shapes[1].get(shape, [])
            if len(olds) == len(news) == 1 and used_names.is_free_renaming(
                renaming := NameChange(kind, olds[0], news[0])
            ):
                yield renaming


def _members(a: graph.Graph, b: graph.Graph, enum: str) -> Iterator[NameChange]:
    """Yield members of an enumeration that have the same positions under other names."""
    old_members, new_members = (members_of(rules.vocabulary, enum) for rules in (a, b))
    if len(old_members) == len(new_members):
        for old, new in zip(old_members, new_members, strict=True):
            if old not in new_members and new not in old_members:
                yield NameChange(MEMBER_KIND, f"{enum}.{old}", f"{enum}.{new}")


class _UsedNames:
    """The names that a graph uses, collected on first use."""

    def __init__(self, rules: graph.Graph) -> None:
        self.rules = rules

    @cached_property
    def names(self) -> set[str]:
        """Return the components of all names."""
        return names_in(self.rules)

    def is_free_renaming(self, each: NameChange) -> bool:
        """Return whether two names differ in one component, and the new one is free."""
        old_parts, new_parts = (NAME_SEPARATOR.split(name) for name in (each.old, each.new))
        differing = sum(old_part != new_part for old_part, new_part in zip(old_parts, new_parts, strict=False))
        if len(old_parts) != len(new_parts) or differing != 1:
            return False
        return each.kind in SCOPES or each.words[1] not in self.names


def _by_shape(rules: graph.Graph, kind: str, names: Iterable[str]) -> dict[str, list[str]]:
    """Group parts by canonical form without the name."""
    found: dict[str, list[str]] = defaultdict(list)
    for name in names:
        if (shape := _shape(rules, kind, name)) is not None:
            found[shape].append(name)
    return found


def _shape(rules: graph.Graph, kind: str, name: str) -> str | None:
    """Return the canonical form of a part without its name and prose; None for a part without a name."""
    node: Any
    match kind:
        case "rule":
            rule = rules.rules[name]
            # The only rule of a `define` has the name of the term.
            terms = tuple(ANONYMOUS if each == name else each for each in rule.terms)
            node = (terms, rule.verb, rule.value, rule.names, rule.guard)
            # A rule without a conclusion is identified by its targets.
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
    """Return the declaration of a name, without that name; None if there is none."""
    field = next((field for field, called in VOCABULARY.items() if called == kind), "flags")
    node = getattr(rules.vocabulary, field).get(name)
    if not (names := fields_of(node.__class__)):
        return None
    return replace(node, name=ANONYMOUS) if "name" in names else node


# ---------------------------------------------------------------------- whether it is the same


def _is_confirmed(
    each: NameChange, before: tuple[NodeChange, ...], after: tuple[NodeChange, ...], a: graph.Graph, b: graph.Graph
) -> bool:
    """Return whether a renaming removes changes and adds none."""
    left = {(change.kind, change.name) for change in after}
    if any(
        change.operation != "changed" and (change.kind, change.name) in {(each.kind, each.old), (each.kind, each.new)}
        for change in after
    ):
        return False
    known = {(change.kind, change.name) for change in before}
    new = each.words[1]
    if each.kind not in SCOPES and any(change.operation == "changed" and (change.kind, change.name) not in known
                                       and change.kind not in BY_NODE for change in after):  # fmt: skip
        return False
    mentioning = {
        (change.kind, change.name) for change in after
        if (change.kind, change.name) != (each.kind, each.new) and _mentions(change, new, each.kind, (a, b))
    }  # fmt: skip
    if mentioning - known - {(each.kind, each.new)}:
        return False
    settled = len(known - left) - (1 if each.kind == MEMBER_KIND else 2)
    return each.kind in CANONICALLY_MATCHED or settled >= max(1, len(mentioning))


def _mentions(change: NodeChange, word: str, kind: str, graphs: tuple[graph.Graph, graph.Graph]) -> bool:
    """Return whether a changed node mentions a word under its new name."""
    nodes = [node for rules in graphs if (node := _node(rules, change)) is not None]
    return any(word in names_in(node, SCOPES.get(kind)) for node in nodes)


def _node(rules: graph.Graph, change: NodeChange) -> Any:
    field = BY_NODE.get(change.kind)
    return None if field is None else getattr(rules, field).get(change.name.partition("[")[0])


T = TypeVar("T")


def _renamed_all(node: T, found: Iterable[NameChange], *, backwards: bool = False) -> T:
    """Apply renamings, or their inverse, to a graph or a part of one, those of one scope at once."""
    kinds: dict[str, dict[str, str]] = defaultdict(dict)
    for each in found:
        old, new = reversed(each.words) if backwards else each.words
        kinds[each.kind if each.kind in SCOPES else ""][old] = new
    for kind, words in kinds.items():
        node = _rename_in_node(node, _word_replacer(words), SCOPES.get(kind))
    return node


# ---------------------------------------------------------------------- the way back

# Fields with text in the names of a position file, and the file.
WRITTEN = ("question", "act", "file")


def with_files_in_own_names(found: T, stack: str, renamings: NameChanges) -> T:
    """Translate the positions of the first stack, and the questions and acts in them, back to its own names."""
    head = f"\nstack: {scalar_text(stack)}\n"

    def with_own_files(node: Any) -> Any:
        if type(node).__module__.startswith("runtime.graph"):
            return node
        node = map_children(node, with_own_files)
        written = [name for name in WRITTEN if name in fields_of(node.__class__)]
        if head not in getattr(node, "file", ""):
            return node
        return replace(node, **{name: in_own_names(getattr(node, name)) for name in written})

    def in_own_names(part: Any) -> Any:  # A question of a play is a node, or None.
        if isinstance(part, str):
            return renamings.to_first_names(part)
        return _renamed_all(part, renamings, backwards=True)

    return with_own_files(found)  # type: ignore[no-any-return]  # of its own class
