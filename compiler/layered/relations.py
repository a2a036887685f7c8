"""Convert relations between rules to edges from defeater to defeated.

The input is a catalog; the output is the loaded rules with their edges, without withdrawn and replaced rules. Each edge
leads to a loaded rule, and the edges are acyclic.

A replacement takes the place of the old rule: it is found by its label, is in the same cases, and inherits its edges
(so that an exception to the case still defeats it). Without inheritance, each variant would conflict with the
exceptions of the case that it had left.
"""

from collections.abc import Iterator, Mapping

from compiler.layered import nodes as layered
from compiler.layered.amendment_text import amends_play
from compiler.layered.beside_terms import terms_beside
from compiler.layered.catalog import Catalog, CatalogEntry
from compiler.layered.findings.labels import NamesUpward, UnknownLabel
from compiler.layered.findings.patches import NotAsExpected
from compiler.layered.findings.relations import EmptyTarget, ExceptionCycle, RemovedTarget, WrongTarget
from compiler.layered.removals import (
    NamedRemoval,
    Removal,
    Removals,
    circles,
    is_below,
    removed_labels,
    resolve_removals,
)
from compiler.query.database import Database
from compiler.source import nodes as source
from compiler.source.expression_text import equal_as_written, expression_text
from compiler.source.finding import Finding
from compiler.source.nodes.words import GENERAL, as_hexes
from runtime.graph.frozen_dataclass import frozen_dataclass

CONTRIBUTIONS = {"adds", "offers", "includes", "excludes"}


@frozen_dataclass
class _RelationContext:
    """The context in which a relation is resolved: layers in reach, removed rules, and the owners of flags."""

    reach: Mapping[str, frozenset[str]]
    removals: Removals
    owners: frozenset[str]
    beside: Mapping[str, frozenset[str]]  # for a term those beside which it stands, transitively


def resolve_relations(
    catalog: Catalog, reach: Mapping[str, frozenset[str]], database: Database
) -> tuple[dict[str, layered.Rule], dict[str, source.Word], list[Finding]]:
    """Return the rules in force by label, with edges to what each defeats, and the problems of their relations.

    Return also the remover of each label that is not in force. `reach` maps a layer to those that it may refer to.
    """
    problems: list[Finding] = []
    _join_cases(catalog, problems)
    owners = flag_owners(catalog)
    written = tuple(_named_removals(catalog, reach, problems))
    removals = resolve_removals(catalog, written, reach, problems)
    removed = removed_labels(catalog, written, removals)
    for named in written:
        if named.removal.verb == "replaces":
            for target in removals.replaced_in(named):
                problems += _replacement_problems(catalog, named, target, owners)
    for target, label in removals.replaced_by.items():
        _inherit_groups(catalog, target, label)
    rules: dict[str, layered.Rule] = {}
    context = _RelationContext(reach, removals, owners, terms_beside(catalog))
    inherited: dict[str, list[str]] = {}
    for old, new in removals.replaced_by.items():
        inherited.setdefault(new, []).append(old)
    for label, entry in catalog.rules.items():
        if label in removals.removed_by:
            continue
        defeats = set(_targets(catalog, entry, context, problems)) if entry.node.relations else set()
        for old in inherited.get(label, ()):
            defeats |= set(_targets(catalog, catalog.rules[old], context, []))
        defeats.discard(label)
        rules[label] = _resolved(entry, conclusion_key(entry.node, owners), tuple(sorted(defeats)), database)
    problems.extend(
        ExceptionCycle(tuple(rules[label].node.label.span for label in circle), tuple(circle))
        for circle in circles({label: rule.defeats for label, rule in rules.items()})
    )
    return rules, removed, problems


def _resolved(entry: CatalogEntry, concludes_on: str, defeats: tuple[str, ...], database: Database) -> layered.Rule:
    """Assign a rule its edges; with equal edges in another stack, the result is the same object."""
    placement = (entry.layer, entry.case, entry.ruling, entry.reading)

    def make() -> layered.Rule:
        return layered.Rule(entry.layer, entry.node, concludes_on, entry.case, entry.ruling, entry.reading, defeats)

    return database.derive("edges", (entry.node,), make, placement, concludes_on, defeats)


def conclusion_key(rule: source.Rule, flag_owners: frozenset[str]) -> str:
    """Return the key of the term that a rule concludes on: `term`, `term.stage`, or `owner.flag` for flags."""
    match rule.conclusion:
        case None:
            return ""
        case source.Conclusion(head=head, stage=source.Word(text=stage)):
            return f"{head.text}.{stage}"
        case source.Conclusion(head=head, value=source.Name(id=flag) | source.Not(operand=source.Name(id=flag))):
            return f"{as_hexes(head).text}.{flag}" if head.text in flag_owners else head.text
        case source.Conclusion(head=head):
            return head.text


def flag_owners(catalog: Catalog) -> frozenset[str]:
    """Return the words that start a flag rule: `hex`, `hexside`, their general words, and each kind of piece."""
    kinds = {part.node.name.text for part in catalog.kinds.get(source.Kind, ())}
    return frozenset({*GENERAL, *GENERAL.values(), *kinds})


def _join_cases(catalog: Catalog, problems: list[Finding]) -> None:
    for entry in catalog.related:
        for relation in entry.node.relations:
            if relation.verb == "joins":
                for word in relation.labels:
                    if word.text not in catalog.cases:
                        problems.append(UnknownLabel(word.span, word.text, tuple(catalog.cases)))
                        continue
                    case = word.text
                    while case:
                        catalog.groups[case] += (entry.node.label.text,)
                        case = catalog.cases[case].parent


def _named_removals(
    catalog: Catalog, reach: Mapping[str, frozenset[str]], problems: list[Finding]
) -> Iterator[NamedRemoval]:
    """Yield the relations that remove rules, with the rules that each label denotes.

    Of a group, these are the rules of the layers below: what other layers have in it is not known to the author.
    """
    for entry in catalog.related:
        for relation in entry.node.relations:
            if relation.verb not in {"replaces", "withdraws"}:
                continue
            for word in relation.labels:
                targets = _rules_of_label(catalog, entry, word, reach, problems)
                if targets != [word.text]:
                    own_labels = [label for label in targets if entry.layer in catalog.layers_of(label)]
                    targets = [label for label in targets if is_below(catalog, label, entry, reach)]
                    if own_labels and not targets:
                        problems.append(EmptyTarget(word.span, word.text, catalog.spans[word.text], "own layer"))
                yield NamedRemoval(Removal(entry, word, relation.verb), relation, tuple(targets))


def _replacement_problems(
    catalog: Catalog, named: NamedRemoval, target: str, owners: frozenset[str]
) -> Iterator[Finding]:
    """Report a replacement that concludes on another term, or of a rule whose conclusion is not the expected one."""
    entry, relation = named.removal.remover, named.relation
    replaced = catalog.rules[target].node
    if not _is_valid_target(replaced, conclusion_key(entry.node, owners), "replaces", owners):
        yield _target_problem(catalog, entry, ("replaces", named.removal.word), [target], owners)
    expected, found = relation.expecting, replaced.conclusion
    if expected is not None and not (found and found.value and equal_as_written(expected, found.value)):
        value = "nothing" if found is None else expression_text(found.value) if found.value else found.verb
        yield NotAsExpected(expected.span, catalog.spans[target], target, expression_text(expected), value)


def _inherit_groups(catalog: Catalog, replaced: str, label: str) -> None:
    """Add a replacement to the cases, rulings and readings of the rule that it replaces."""
    for name, group in catalog.groups.items():
        if replaced in group:
            catalog.groups[name] = (*group, label)


def _targets(catalog: Catalog, entry: CatalogEntry, context: _RelationContext, problems: list[Finding]) -> list[str]:
    """Return the loaded rules that a rule defeats, with groups expanded."""
    found: list[str] = []
    removals = context.removals
    concluding = conclusion_key(entry.node, context.owners)
    for relation in entry.node.relations:
        if relation.verb not in {"exception", "suppresses", "clarifies"}:
            continue
        for word in relation.labels:
            targets = _rules_of_label(catalog, entry, word, context.reach, problems)
            loaded = [removals.replacement_of(target) for target in targets]
            live = [target for target in loaded if target not in removals.removed_by]
            if targets and not live:
                problems.append(_removed_target(catalog, entry, word, removals.removed_by[loaded[0]], context.reach))
            if relation.verb == "clarifies":
                continue
            matches = [
                target
                for target in live
                if _is_valid_target(catalog.rules[target].node, concluding, relation.verb, context.owners)
                or conclusion_key(catalog.rules[target].node, context.owners) in context.beside.get(concluding, ())
            ]
            if live and not matches:
                problems.append(_target_problem(catalog, entry, (relation.verb, word), live, context.owners))
            elif matches and not any(_can_be_defeated(catalog.rules[target].node) for target in matches):
                problems.append(EmptyTarget(word.span, word.text, catalog.spans[word.text], "removal"))
            found.extend(matches)
    return found


def _can_be_defeated(rule: source.Rule) -> bool:
    """Return whether a rule does more than to confirm others, to remove them or to change cells, which is for good."""
    return (
        rule.conclusion is not None
        or amends_play(rule)
        or any(part.verb in {"exception", "suppresses"} for part in rule.relations)
    )


def _removed_target(
    catalog: Catalog, entry: CatalogEntry, word: source.Word, remover: source.Word, reach: Mapping[str, frozenset[str]]
) -> RemovedTarget:
    """Return the problem of a relation to a rule that another one withdraws."""
    above = catalog.rules[remover.text].layer
    below = above != entry.layer and entry.layer in reach[above]
    return RemovedTarget(word.span, word.text, catalog.spans[word.text], remover.span, remover.text, below)


def _target_problem(
    catalog: Catalog, entry: CatalogEntry, aimed: tuple[str, source.Word], live: list[str], owners: frozenset[str]
) -> Finding:
    """Explain why a relation found no rule.

    A group that is empty in this stack only, because an option is not loaded, is no error.
    """
    verb, word = aimed
    if len(live) > 1:
        return EmptyTarget(word.span, word.text, catalog.spans[word.text])
    target = catalog.rules[live[0]].node
    verdict = target.conclusion.verb if verb == "suppresses" and target.conclusion else ""
    return WrongTarget(
        word.span, entry.node.label.text, target.label.span, target.label.text,
        conclusion_key(entry.node, owners), conclusion_key(target, owners), verdict,
    )  # fmt: skip


def _is_valid_target(target: source.Rule, concluding: str, verb: str, owners: frozenset[str]) -> bool:
    if verb == "suppresses":
        return target.conclusion is not None and target.conclusion.verb in CONTRIBUTIONS
    target_key = conclusion_key(target, owners)
    return not concluding or not target_key or target_key == concluding


def _rules_on_same_term(catalog: Catalog, entry: CatalogEntry) -> tuple[str, ...]:
    """Return the rules that conclude on the same term, which most often contain the intended one."""
    head = entry.node.conclusion.head.text if entry.node.conclusion else ""
    heads = {label: each.node.conclusion.head.text for label, each in catalog.rules.items() if each.node.conclusion}
    return tuple(label for label, other in heads.items() if other == head and label != entry.node.label.text)


def _rules_of_label(
    catalog: Catalog,
    entry: CatalogEntry,
    word: source.Word,
    reach: Mapping[str, frozenset[str]],
    problems: list[Finding],
) -> list[str]:
    """Return the rules that a label denotes: one, or all of a case, ruling, reading or dispute.

    The referring rule itself is excluded.
    """
    own_label = entry.node.label.text
    if word.text in catalog.rules and word.text != own_label:
        target = catalog.rules[word.text]
        if catalog.layers_of(word.text).isdisjoint(reach[entry.layer]):
            span = catalog.spans[word.text]
            problems.append(NamesUpward(word.span, word.text, span, entry.layer, target.layer))
            return []
        return [word.text]
    if word.text == own_label and word.text in catalog.rules:
        problems.append(ExceptionCycle((word.span,), (own_label,)))
        return []
    if word.text in catalog.groups:
        return [label for label in dict.fromkeys(catalog.groups[word.text]) if label != own_label]
    if word.text == own_label:
        problems.append(ExceptionCycle((word.span,), (own_label,)))
        return []
    known = tuple({*catalog.rules, *catalog.groups} - {own_label})
    problems.append(UnknownLabel(word.span, word.text, known, _rules_on_same_term(catalog, entry)))
    return []
