"""Collect the statements of the loaded layers by label, and find duplicate labels.

The input is the parsed files of the chosen layers; the output is a catalog keyed by label, without the rules of
readings that are not chosen, in which each rule has its layer, case, ruling and reading.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, cast, get_args

from compiler.layered import nodes as layered
from compiler.layered.findings.labels import CaseRenamed, DuplicateLabel
from compiler.layered.findings.readings import NoDefaultReading, UnknownReading
from compiler.layered.merged_cases import merge_cases, renamed_parts
from compiler.layered.written_laws import dispute_names, is_same_ruling
from compiler.query.database import LARGE, Database
from compiler.source import nodes as source
from compiler.source.expression_text import equal_as_written
from compiler.source.finding import Finding
from compiler.source.span import NOWHERE, Span
from compiler.source.suggestions import nearest_names
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class CatalogEntry:
    """A rule with its context, before relations are resolved."""

    layer: str
    node: source.Rule
    case: str
    ruling: str
    reading: str


# The site of an example: its layer, the stack that it specifies, and its card.
Site = tuple[str, str, str]


@dataclass(slots=True)
class Catalog:
    """The statements found so far; `groups` are labels of cases, rulings, readings and disputes.

    Declarations and procedures are stored by layer and by kind. Examples of a layer that was merged as a whole are
    stored by site. `related` are the rules that have relations, `patching` the labels of those that change charts,
    `action_rules` of those that are about procedures. `repeated` are laws that another layer has word for word, by
    label: the layer and the place of each repetition.
    """

    rules: dict[str, CatalogEntry] = field(default_factory=dict)
    rulings: dict[str, layered.LayerStatement[source.Ruling]] = field(default_factory=dict)
    disputes: dict[str, layered.Dispute] = field(default_factory=dict)
    cases: dict[str, layered.Case] = field(default_factory=dict)
    groups: dict[str, tuple[str, ...]] = field(default_factory=dict)
    examples: list[layered.Example] = field(default_factory=list)
    sites: dict[Site, tuple[layered.Example, ...]] = field(default_factory=dict)
    related: list[CatalogEntry] = field(default_factory=list)
    patching: list[str] = field(default_factory=list)
    action_rules: list[str] = field(default_factory=list)
    statements: dict[str, tuple[layered.LayerStatement[Any], ...]] = field(default_factory=dict)
    kinds: dict[type, list[layered.LayerStatement[Any]]] = field(default_factory=dict)
    conduct: list[layered.LayerStatement[source.Conduct]] = field(default_factory=list)
    spans: dict[str, Span] = field(default_factory=dict)
    problems: list[Finding] = field(default_factory=list)
    repeated: dict[str, list[tuple[str, Span]]] = field(default_factory=dict)
    database: Database = field(default_factory=Database)

    def layers_of(self, label: str) -> frozenset[str]:
        """Return the layers that have a rule: several, where unrelated layers have it word for word."""
        return frozenset((self.rules[label].layer, *(layer for layer, _ in self.repeated.get(label, ()))))


@frozen_dataclass
class _BookPlace:
    """The place of a law in the book."""

    layer: str
    case: str = ""
    ruling: str = ""
    reading: str = ""
    cases: tuple[str, ...] = ()
    guards: tuple[source.Expression, ...] = ()


# Relations without an effect: a rule with no others has nothing to guard.
CONFIRMING = {"clarifies", "concerns", "carried", "joins"}
LAW = frozenset(get_args(source.Law))
CONDUCT = frozenset(get_args(source.Conduct))


Statements = tuple[source.Statement, ...]


def collect_statements(
    layers: Iterable[tuple[str, tuple[Statements, ...]]], readings: Mapping[str, source.Word], database: Database
) -> Catalog:
    """Collect the statements of the loaded layers in a catalog. `readings` are the choices made.

    Each file and each layer is summarized once by itself, and a summary is merged as a whole; where it conflicts with
    others, its statements are added one by one (`add_statements`).
    """
    catalog = Catalog(database=database)
    for layer, files in layers:
        chosen = tuple(pair for file in files for pair in _chosen_readings(file, readings, database))
        make = partial(_summarize_layer, layer, files, readings, database)
        summary = database.derive("summary of layer", files, make, layer, chosen, capacity=LARGE)
        if not _merge_summary(catalog, summary):
            for file in files:
                add_statements(catalog, layer, file, readings)
    return catalog


def _summarize_layer(
    layer: str, files: tuple[Statements, ...], readings: Mapping[str, source.Word], database: Database
) -> Catalog:
    """Collect the statements of one layer, file by file: another reading affects only the file of the dispute."""
    catalog = Catalog(database=database)
    for file in files:
        make = partial(_summarize_file, layer, file, readings, database)
        chosen = _chosen_readings(file, readings, database)
        summary = database.derive("summary of file", (file,), make, layer, *chosen, capacity=LARGE)
        if not _merge_summary(catalog, summary):
            add_statements(catalog, layer, file, readings)
    catalog.statements = {name: database.tuple_of(parts) for name, parts in catalog.statements.items()}
    return catalog


def _summarize_file(layer: str, file: Statements, readings: Mapping[str, source.Word], database: Database) -> Catalog:
    """Collect the statements of one file."""
    catalog = Catalog(database=database)
    add_statements(catalog, layer, file, readings)
    return catalog


def _chosen_readings(
    file: Statements, readings: Mapping[str, source.Word], database: Database
) -> tuple[tuple[str, str], ...]:
    """Return the disputes of a file for which a reading is chosen, with the reading."""
    disputed = database.derive("disputes of file", (file,), partial(dispute_names, file))
    return tuple((name, readings[name].text) for name in disputed if name in readings)


def add_statements(catalog: Catalog, layer: str, statements: Statements, readings: Mapping[str, source.Word]) -> None:
    """Add the statements of one file to a catalog."""
    after = ""
    place = _BookPlace(layer)
    declared: list[layered.LayerStatement[Any]] = []
    for statement in statements:
        kind = type(statement)
        if kind in LAW:
            law = cast("source.Law", statement)
            _add_law(catalog, law, place, readings, after)
            after = _last_label(law, after)
            continue
        placed: layered.LayerStatement[Any] = layered.LayerStatement(layer, statement)
        declared.append(placed)
        catalog.kinds.setdefault(kind, []).append(placed)
        if kind in CONDUCT:
            catalog.conduct.append(placed)
        elif isinstance(statement, source.Define):
            rule = catalog.database.derive("rule of define", (statement,), partial(_rule_of_define, statement))
            _add_rule(catalog, rule, place)
    catalog.statements[layer] = (*catalog.statements.get(layer, ()), *declared)


def _merge_summary(catalog: Catalog, summary: Catalog) -> bool:
    """Add the summary of one layer; False, without a change, where it causes a problem or would be placed elsewhere.

    A case that is reopened passes its rules on to the cases around its first opening.
    """
    reopened_labels = summary.cases.keys() & catalog.cases.keys()
    groups: dict[str, Collection[str]] = dict(summary.groups)
    for label in reopened_labels:
        second, first = summary.cases[label], catalog.cases[label]
        if second.parent not in ("", first.parent) or renamed_parts(second, first):
            return False
        for case in _case_and_parents(catalog, first.parent, ()):
            groups[case] = {*groups.get(case, ()), *summary.groups[label]}
    if summary.problems or summary.spans.keys() & catalog.spans.keys() != reopened_labels:
        return False
    catalog.rules.update(summary.rules)
    catalog.rulings.update(summary.rulings)
    catalog.disputes.update(summary.disputes)
    catalog.cases.update(
        summary.cases | {label: merge_cases(catalog.cases[label], summary.cases[label]) for label in reopened_labels}
    )
    catalog.spans.update(summary.spans | {label: catalog.spans[label] for label in reopened_labels})
    for site, examples in summary.database.derive("sites of examples", (summary,), partial(sites_of, summary)).items():
        catalog.sites[site] = catalog.sites.get(site, ()) + examples
    catalog.related += summary.related
    catalog.patching += summary.patching
    catalog.action_rules += summary.action_rules
    for layer, declared in summary.statements.items():
        catalog.statements[layer] = (*catalog.statements[layer], *declared) if layer in catalog.statements else declared
    for kind, parts in summary.kinds.items():
        catalog.kinds.setdefault(kind, []).extend(parts)
    catalog.conduct += summary.conduct
    for label, members in groups.items():
        ordered = members if isinstance(members, tuple) else tuple([each for each in summary.rules if each in members])
        catalog.groups[label] = catalog.groups.get(label, ()) + ordered
    return True


def sites_of(catalog: Catalog) -> dict[Site, tuple[layered.Example, ...]]:
    """Return the examples by site: those already grouped in the catalog before those in its list."""
    found: dict[Site, list[layered.Example]] = {}
    for example in catalog.examples:
        stack_word, upon = example.node.under, example.node.upon
        site = (example.layer, stack_word.text if stack_word else "", upon.text if upon else "")
        found.setdefault(site, []).append(example)
    entered = {site: catalog.sites.get(site, ()) + tuple(examples) for site, examples in found.items()}
    return catalog.sites | entered


def _last_label(law: source.Law, before: str) -> str:
    """Return the label of the rule or ruling that an adjacent example belongs to."""
    return law.label.text if isinstance(law, source.Rule | source.Ruling) else before


def _rule_of_define(define: source.Define) -> source.Rule:
    """Return the one rule of a `define`: labeled like it, so that it can be excepted (docs/language.md, 4)."""
    label = source.Word(define.name.span, define.name.text.replace("_", "-"))
    conclusion = source.Conclusion(define.body.span, define.name, None, "is", define.body)
    return source.Rule(define.span, label, define.cites, None, conclusion, (), (), (), None)


def _add_law(
    catalog: Catalog, law: source.Law, place: _BookPlace, readings: Mapping[str, source.Word], after: str = ""
) -> None:
    """Add a law; `after` is the preceding rule or ruling, which an example is taken to protect."""
    match law:
        case source.Rule():
            _add_rule(catalog, law, place)
        case source.Example():
            protects = place.ruling or after or place.reading
            catalog.examples.append(layered.Example(place.layer, law, protects))
        case source.Case():
            _add_case(catalog, law, place, readings)
        case source.Ruling():
            inner_place = _BookPlace(place.layer, place.case, law.label.text, place.reading, place.cases, place.guards)
            single = any(isinstance(part, source.Rule) and part.label.text == law.label.text for part in law.laws)
            first = catalog.rulings.get(law.label.text)
            if first is not None and not (first.layer != place.layer and is_same_ruling(first.node, law)):
                _claim_label(catalog, law.label)
                return
            if not single and first is None:
                _claim_label(catalog, law.label)
            catalog.rulings.setdefault(law.label.text, layered.LayerStatement(place.layer, law))
            catalog.groups.setdefault(law.label.text, ())
            for part in law.laws:
                _add_law(catalog, part, inner_place, readings)
        case source.Dispute():
            _add_dispute(catalog, law, place, readings)


def _add_rule(catalog: Catalog, rule: source.Rule, place: _BookPlace) -> None:
    label = rule.label.text
    rule = _fully_guarded(catalog, rule, place)
    entry = CatalogEntry(place.layer, rule, place.case, place.ruling, place.reading)
    first = catalog.rules.get(label)
    if first is not None and first.layer != place.layer and _is_same_rule(first, entry):
        catalog.repeated.setdefault(label, []).append((place.layer, rule.label.span))
        return
    if not _claim_label(catalog, rule.label):
        return
    catalog.rules[label] = entry
    if rule.relations or rule.amends:
        catalog.related.append(entry)
    if rule.patches:
        catalog.patching.append(label)
    if any(relation.procedures for relation in rule.relations):
        catalog.action_rules.append(label)
    for group in (*place.cases, place.ruling, place.reading):
        if group and group != label:
            catalog.groups[group] += (label,)


def _is_same_rule(first: CatalogEntry, second: CatalogEntry) -> bool:
    """Return whether two layers have the same rule word for word, in the same case, ruling or reading."""
    places = [(each.case, each.ruling, each.reading) for each in (first, second)]
    return places[0] == places[1] and equal_as_written(first.node, second.node)


def _fully_guarded(catalog: Catalog, rule: source.Rule, place: _BookPlace) -> source.Rule:
    """Return a rule that also requires the guards of the cases around it."""
    for guard in reversed(place.guards):
        rule = _guarded(catalog, rule, guard)
    return rule


def _guarded(catalog: Catalog, rule: source.Rule, guard: source.Expression) -> source.Rule:
    """Return a rule that also requires the guard of its case; a rule that only confirms is unchanged."""
    confirms = rule.conclusion is None and not rule.patches and bool(rule.relations)
    if confirms and {each.verb for each in rule.relations} <= CONFIRMING:
        return rule
    condition = guard if rule.guard is None else source.Both(rule.guard.span, (guard, rule.guard))
    return catalog.database.derive("guarded", (rule, guard), lambda: replace(rule, guard=condition))


def _claim_label(catalog: Catalog, label: source.Word) -> bool:
    """Record the span of a label; a second one is a problem."""
    first = catalog.spans.setdefault(label.text, label.span)
    if first != label.span:
        catalog.problems.append(DuplicateLabel(label.span, first, label.text))
        return False
    return True


def _add_case(catalog: Catalog, case: source.Case, place: _BookPlace, readings: Mapping[str, source.Word]) -> None:
    label = case.label.text
    known = catalog.cases.get(label)
    if known is None:
        _claim_label(catalog, case.label)
        catalog.cases[label] = layered.Case(
            place.layer, label, case.title or "", case.number or "", place.case, case.span
        )
        catalog.groups[label] = ()
    else:
        # Each layer that opens a case may title and number it; the order of files is arbitrary, so no two may differ.
        for later, earlier in renamed_parts(case, known):
            catalog.problems.append(CaseRenamed(case.label.span, catalog.spans[label], label, later, earlier))
        catalog.cases[label] = merge_cases(known, case)
    above = (*place.cases, *_case_and_parents(catalog, label, place.cases))
    guards = (*place.guards, case.guard) if case.guard is not None else place.guards
    inner_place = _BookPlace(place.layer, label, place.ruling, place.reading, above, guards)
    after = ""
    for law in case.laws:
        _add_law(catalog, law, inner_place, readings, after)
        after = _last_label(law, after)


def _case_and_parents(catalog: Catalog, label: str, known: tuple[str, ...]) -> tuple[str, ...]:
    """Return the case and the cases around it where it was first opened."""
    found = []
    while label and label not in known:
        found.append(label)
        label = catalog.cases[label].parent if label in catalog.cases else ""
    return tuple(found)


def _repeat_dispute(catalog: Catalog, law: source.Dispute, layer: str) -> None:
    """Record that a layer has a dispute, and the rules of the chosen reading, word for word."""
    rules = (part for part in source.nested_laws(law.readings) if isinstance(part, source.Rule))
    for word in (law.label, *(rule.label for rule in rules if rule.label.text in catalog.rules)):
        catalog.repeated.setdefault(word.text, []).append((layer, word.span))


def _add_dispute(catalog: Catalog, law: source.Dispute, place: _BookPlace, readings: Mapping[str, source.Word]) -> None:
    label = law.label.text
    known = catalog.disputes.get(label)
    if known is not None and known.layer != place.layer and equal_as_written(known.node, law):
        _repeat_dispute(catalog, law, place.layer)
        return
    if not _claim_label(catalog, law.label):
        return
    names = {reading.label.text: reading for reading in law.readings}
    default_labels = [reading.label for reading in law.readings if reading.default]
    defaults = [word.text for word in default_labels]
    if len(law.readings) == 1:
        catalog.problems.append(NoDefaultReading(law.label.span, label, is_single_reading=True))
    elif len(default_labels) != 1:
        catalog.problems.append(NoDefaultReading(law.label.span, label, tuple(word.span for word in default_labels)))
    chosen = defaults[0] if defaults else next(iter(names), "")
    if label in readings:
        choice = readings[label]
        if choice.text in names:
            chosen = choice.text
        else:
            span = choice.span if choice.span != NOWHERE else law.label.span
            catalog.problems.append(
                UnknownReading(span, label, choice.text, nearest_names(choice.text, names) or tuple(names))
            )
    others = tuple(
        layered.Rule(place.layer, _fully_guarded(catalog, rule, place), "", place.case, place.ruling, name, ())
        for name, reading in names.items()
        for rule in reading.laws
        if name != chosen and isinstance(rule, source.Rule)
    )
    catalog.disputes[label] = layered.Dispute(place.layer, law, chosen, others)
    catalog.groups[label] = ()
    for name, reading in names.items():
        _claim_label(catalog, reading.label)
        catalog.groups[name] = ()
        if name != chosen:
            continue
        inner_place = _BookPlace(place.layer, place.case, place.ruling, name, (*place.cases, label), place.guards)
        for part in reading.laws:
            _add_law(catalog, part, inner_place, readings)
