"""Which rules others remove: resolved from the top down, so that a rule that is itself removed removes nothing.

In: a catalog, and the layers that each layer may refer to. Out: by removed label the rule that removes it, and by
replaced label the rule that stands in its place; problems where nothing says which removal counts.

A label denotes what stands in its place: to a layer above a replacement, `replaces L` and `withdraws L` remove the
replacement as well. A replacement also takes the places that the replaced rule had taken. A case, a ruling or a dispute
denotes what the layers below have in it.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace

from compiler.layered.catalog import Catalog, CatalogEntry
from compiler.layered.findings.labels import ReplacedTwice
from compiler.layered.findings.relations import ExceptionCycle, RemovedTarget
from compiler.source import nodes as source
from compiler.source.finding import Finding
from runtime.graph.frozen_dataclass import frozen_dataclass

Reach = Mapping[str, frozenset[str]]


@frozen_dataclass
class Removal:
    """A relation that removes a rule: the rule that has it, the place where it is written, and its verb.

    `named` if it names the removed rule, or a group with it; otherwise that stands in the place of what it names, or
    gave up its place to it.
    """

    remover: CatalogEntry
    word: source.Word
    verb: str
    named: bool = True

    @property
    def label(self) -> str:
        """Return the label of the removing rule."""
        return self.remover.node.label.text

    @property
    def place(self) -> source.Word:
        """Return the label of the removing rule, at the place where the removal is written."""
        return source.Word(self.word.span, self.label)


@frozen_dataclass
class NamedRemoval:
    """A removal as written, with the rules that its label denotes in the layers below, before any is replaced."""

    removal: Removal
    relation: source.Relate
    targets: tuple[str, ...]


@frozen_dataclass
class Removals:
    """The removed labels: `removed_by` maps a removed label to its remover, `replaced_by` to its replacement."""

    removers: dict[str, dict[str, Removal]] = field(default_factory=dict)
    removed_by: dict[str, source.Word] = field(default_factory=dict)
    replaced_by: dict[str, str] = field(default_factory=dict)

    def replacement_of(self, label: str) -> str:
        """Return the rule that stands in the place of a label; the label itself if it was not replaced."""
        return self.replaced_by.get(label, label)

    def replaced_in(self, named: NamedRemoval) -> Iterator[str]:
        """Yield the rules in whose place a replacement stands: the last replacements below it of what it names."""
        label = named.removal.label
        places = [*named.targets]
        for place in places:
            removers = self.removers[place].items()
            later = [
                other for other, each in removers if each.verb == "replaces" and label in self.removers.get(other, ())
            ]
            places += (other for other in later if other not in places)
            if not later:
                yield place


def resolve_removals(
    catalog: Catalog, written: tuple[NamedRemoval, ...], reach: Reach, problems: list[Finding]
) -> Removals:
    """Decide which removals count, and report those that conflict."""
    removals = Removals(_removers_by_target(catalog, written, reach))
    in_force = _removers_in_force(catalog, removals.removers, problems)
    conflicts: dict[object, Finding] = {}  # once for all rules that stood in one place
    for target, by_label in removals.removers.items():
        effective = {label: each for label, each in by_label.items() if label in in_force}
        if not effective:
            continue
        for problem in _conflicts(catalog, target, effective, by_label, reach):
            conflicts.setdefault((problem.span, type(problem)), problem)
        last = [each for each in effective.values() if not _is_overruled(catalog, each, effective.values(), reach)]
        decisive = min(last, key=lambda each: (each.verb, each.label))
        removals.removed_by[target] = decisive.place
        if decisive.verb == "replaces":
            removals.replaced_by[target] = decisive.label
    problems += conflicts.values()
    return removals


def removed_labels(catalog: Catalog, written: tuple[NamedRemoval, ...], removals: Removals) -> dict[str, source.Word]:
    """Return the remover of each removed rule, and of each case, ruling, reading or dispute that nothing is left of.

    `catalog.groups` are those that were written: a replacement is in none of them yet.
    """
    removed = dict(removals.removed_by)
    named = {each.removal.word.text: each.removal.place for each in written if each.removal.label not in removed}
    for group, members in catalog.groups.items():
        if members and all(label in removed for label in members):
            removed.setdefault(group, named.get(group, removed[members[0]]))
        elif not members and group in named:
            removed[group] = named[group]
    for label, dispute in catalog.disputes.items():
        if dispute.chosen in removed:
            removed.setdefault(label, removed[dispute.chosen])
    return removed


# ---------------------------------------------------------------- who removes what


def _removers_by_target(
    catalog: Catalog, written: tuple[NamedRemoval, ...], reach: Reach
) -> dict[str, dict[str, Removal]]:
    """Return all removals by what they remove: what they name, and what stood or stands in the same place."""
    replaced: dict[str, list[str]] = {}  # by replacement
    replacements: dict[str, list[str]] = {}  # by replaced rule
    for each in written:
        if each.removal.verb == "replaces":
            replaced.setdefault(each.removal.label, []).extend(each.targets)
            for target in each.targets:
                replacements.setdefault(target, []).append(each.removal.label)
    removers: dict[str, dict[str, Removal]] = {}
    for each in written:
        removal = each.removal
        for target in each.targets:
            removers.setdefault(target, {})[removal.label] = removal
        known = (label for target in each.targets for label in _closure(target, replacements))
        places = [*each.targets, *(label for label in known if is_below(catalog, label, removal.remover, reach))]
        if removal.verb == "replaces":
            places += [label for place in places for label in _closure(place, replaced)]
        for place in places:
            if place != removal.label:
                removers.setdefault(place, {}).setdefault(removal.label, replace(removal, named=False))
    return removers


def _closure(label: str, following: Mapping[str, list[str]]) -> Iterator[str]:
    """Yield what follows a label, transitively."""
    seen: set[str] = set()
    pending = [*following.get(label, ())]
    while pending:
        other = pending.pop()
        if other not in seen:
            seen.add(other)
            yield other
            pending += following.get(other, ())


def is_below(catalog: Catalog, label: str, entry: CatalogEntry, reach: Reach) -> bool:
    """Return whether a rule is of a layer on which the layer of another rule is based."""
    return not catalog.layers_of(label).isdisjoint(reach[entry.layer] - {entry.layer})


def _removers_in_force(
    catalog: Catalog, removers: Mapping[str, Mapping[str, Removal]], problems: list[Finding]
) -> set[str]:
    """Return the removing rules that are not themselves removed.

    A rule is decided once a rule in force removes it, or all that remove it are removed. What stays open removes each
    other in a circle.
    """
    targets: dict[str, list[str]] = {}  # by remover
    for target, by_label in removers.items():
        for label in by_label:
            targets.setdefault(label, []).append(target)
    waiting = {label: set(removers.get(label, ())) for label in targets}
    in_force: set[str] = set()
    removed: set[str] = set()
    ready = [label for label, others in waiting.items() if not others]
    while ready:
        label = ready.pop()
        is_removed = label in removed
        if not is_removed:
            in_force.add(label)
        for target in targets[label]:
            if target not in waiting or target in removed:
                continue
            waiting[target].discard(label)
            if not is_removed:
                removed.add(target)
            if not is_removed or not waiting[target]:
                ready.append(target)
    open_labels = waiting.keys() - in_force - removed
    undecided = {label: tuple(each for each in targets[label] if each in open_labels) for label in open_labels}
    for circle in circles(undecided):
        spans = tuple(catalog.spans[label] for label in circle)
        problems.append(ExceptionCycle(spans, tuple(circle), removes=True))
    return in_force


def circles(targets: Mapping[str, Iterable[str]]) -> Iterator[list[str]]:
    """Yield each circle of labels that lead to each other once, starting from its first label."""
    visited: set[str] = set()
    for first in sorted(targets):
        # A depth-first search with an explicit path: a chain may exceed Python's recursion limit.
        path = {} if first in visited else {first: iter(targets[first])}
        while path:
            label, following = next(reversed(path.items()))
            target = next((each for each in following if each not in visited), None)
            if target is None:
                visited.add(label)
                del path[label]
            elif target in path:
                circle = [*path][[*path].index(target) :]
                yield circle
                visited.update(circle)
            else:
                path[target] = iter(targets[target])


# ---------------------------------------------------------------- conflicts


def _conflicts(
    catalog: Catalog, target: str, effective: Mapping[str, Removal], all_removers: Mapping[str, Removal], reach: Reach
) -> Iterator[RemovedTarget | ReplacedTwice]:
    """Report removals of one rule that nothing orders, and those of a rule that a layer below has withdrawn."""
    last = [each for each in effective.values() if not _is_overruled(catalog, each, effective.values(), reach)]
    for upper in last:
        lower = [
            each
            for each in all_removers.values()
            if each is not upper and is_below(catalog, each.label, upper.remover, reach)
        ]
        withdrawal = next((each for each in lower if each.label in effective), None)
        if withdrawal is not None and upper.named and not _has_unrelated(lower, reach):
            span = catalog.spans[target]
            yield RemovedTarget(upper.word.span, target, span, withdrawal.word.span, withdrawal.label, below=False)
    first, *others = sorted(last, key=lambda each: each.word.span)
    for other in others:
        if (first.verb, other.verb) != ("withdraws", "withdraws") or first.remover.layer == other.remover.layer:
            yield ReplacedTwice(other.word.span, first.word.span, target, catalog.spans[target])


def _is_overruled(catalog: Catalog, removal: Removal, others: Iterable[Removal], reach: Reach) -> bool:
    """Return whether a layer above removes the same rule, and so decides."""
    return any(
        is_below(catalog, removal.label, other.remover, reach) for other in others if other.label != removal.label
    )


def _has_unrelated(removals: list[Removal], reach: Reach) -> bool:
    """Return whether two removals are of layers of which neither stands on the other: one above settles them."""
    return any(
        one.remover.layer not in reach[other.remover.layer] and other.remover.layer not in reach[one.remover.layer]
        for number, one in enumerate(removals)
        for other in removals[:number]
    )
