"""Assemble a stack: choose its layers, collect their statements, resolve relations of rules, patch charts.

The input is the sources of each layer that the request needs; the output is a layered stack and the problems found.
Reports R03xx. The result is independent of the order in which files are read: everything is keyed.
"""

from collections import ChainMap
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from compiler.layered import layer_selection
from compiler.layered import nodes as layered
from compiler.layered.beside_terms import resolve_exceptions
from compiler.layered.cards import CardLayer, PatchedCard, patch_cards
from compiler.layered.catalog import CONDUCT, Catalog, add_statements, collect_statements
from compiler.layered.chosen_readings import (
    choose_readings,
    conflicting_readings,
    removed_disputes,
    undisputed_readings,
)
from compiler.layered.citations import check_citations, cited_documents
from compiler.layered.counters import added_factors, merge_counters
from compiler.layered.examples import list_examples
from compiler.layered.findings.patches import UnknownCell
from compiler.layered.insertions import INSERTED, check_insertions, sort_by_anchor
from compiler.layered.relations import resolve_relations
from compiler.layered.repetitions import drop_repetitions, repeated_labels
from compiler.layered.replaced_procedures import apply_replacements
from compiler.layered.stack_request import StackRequest
from compiler.layered.tables import merge_tables
from compiler.query.database import Database
from compiler.source import nodes as source
from compiler.source.finding import Finding
from compiler.source.package import LayerSource, Library


def layer_stack(
    request: StackRequest, layers: Iterable[LayerSource], library: Library, card: CardLayer | None
) -> tuple[layered.LayeredStack, list[Finding]]:
    """Return the stack assembled from the chosen layers, lowest first, and the problems found in them."""
    loaded = tuple(layers)
    registry = library.documents
    manifests = tuple(part.layer for part in loaded)
    reach = layer_selection.reachable_layers(manifests)
    below = layer_selection.layers_below(library.layers, reach.keys())
    statements_by_layer = (
        (part.layer.name.text, tuple([file.statements for file in sorted(part.files, key=_name)])) for part in loaded
    )
    readings = choose_readings(request, manifests)
    catalog = collect_statements(statements_by_layer, readings, library.database)
    cards, card_problems = _patched_cards(loaded, library, card, reach)
    patched_card = None
    if card is not None:
        patched_card = cards.get(card.scenario.name.text, PatchedCard(card.scenario))
        card = replace(card, scenario=patched_card.node)
        reach[patched_card.node.name.text] = below[patched_card.node.name.text] = frozenset(
            {patched_card.node.name.text, *(manifest.name.text for manifest in manifests)}
        )
        add_statements(
            catalog,
            patched_card.node.name.text,
            (*card.region_tracks, *card.scenario.special, *card.victory_rules),
            readings,
        )
    drop_repetitions(catalog, reach)
    catalog.problems += repeated_labels(catalog, reach)
    catalog.problems += undisputed_readings(request, manifests, catalog.disputes, library.layers)
    catalog.problems += conflicting_readings(request, manifests, reach)
    rules, removed, problems = resolve_relations(catalog, reach, library.database)
    problems += removed_disputes(request, manifests, removed, rules, reach, catalog.disputes)
    beside, beside_problems = resolve_exceptions(catalog, rules, removed, reach)
    problems.extend(beside_problems)
    procedure_table = apply_replacements(catalog, reach, below, rules)
    problems.extend(procedure_table.problems)
    problems.extend(check_insertions(catalog, below))
    tables, counters, chart_problems = _merged_charts(loaded, catalog, rules, reach, library.database)
    same = len(procedure_table.parts) == len(catalog.conduct) and not procedure_table.displaced
    kinds = catalog.kinds if same else catalog.kinds | _by_kind(procedure_table.parts)
    citing = (*_citing(loaded, card),)
    cited = check_citations(registry, citing, library.database)
    examples, inner, shared, unknown = list_examples(catalog, request, manifests, library, card)
    stack = layered.LayeredStack(
        name=request.name,
        layers=manifests,
        above=library.database.derive("layers above", (library.layers,), partial(_declared_above, library.layers)),
        documents=cited_documents(registry, citing, library.database),
        statements=catalog.statements,
        kinds=kinds | {kind: sort_by_anchor(kinds.get(kind, ())) for kind in INSERTED},
        conduct=sort_by_anchor(procedure_table.parts),
        rules=rules,
        beside=beside,
        rulings=_rulings(catalog, rules),
        action_rules=tuple(rules[label] for label in catalog.action_rules if label in rules),
        disputes=catalog.disputes,
        cases=catalog.cases,
        examples=examples,
        inner=inner,
        shared_example_layers=shared,
        labels=frozenset(catalog.spans),
        removed_by={label: remover.text for label, remover in removed.items()},
        books={part.layer.name.text: part.books for part in loaded if part.books},
        tables=tables,
        counters=counters,
        scenario=card.scenario if card else None,
        displaced=tuple(procedure_table.displaced),
        changed=patched_card.changes if patched_card else (),
        parts=patched_card.parts if patched_card else (),
    )
    return stack, [
        *catalog.problems, *problems, *chart_problems, *card_problems, *cited, *unknown
    ]  # fmt: skip


def _merged_charts(
    loaded: tuple[LayerSource, ...],
    catalog: Catalog,
    rules: Mapping[str, layered.Rule],
    reach: Mapping[str, frozenset[str]],
    database: Database,
) -> tuple[dict[str, layered.Table], dict[str, layered.Counter], tuple[Finding, ...]]:
    """Merge the charts of all layers, including those of counters, with the changes by layers and rules."""
    tables, table_problems = merge_tables(
        ((part.layer.name.text, table) for part in loaded for table in part.tables),
        _table_patches(loaded),
        (
            (rules[label].layer, rules[label].node.cites, patch)
            for label in catalog.patching
            if label in rules
            for patch in rules[label].node.patches
        ),
        reach,
        database,
    )
    kinds = {statement.node.name.text for statement in catalog.kinds.get(source.Kind, ())}
    table_problems = [
        replace(each, counters=True)
        if isinstance(each, UnknownCell) and each.category == "table" and each.name in kinds
        else each
        for each in table_problems
    ]
    counters, counter_problems = merge_counters(
        ((part.layer.name.text, chart) for part in loaded for chart in part.charts),
        ((part.layer.name.text, patch) for part in loaded for patch in part.piece_patches),
        added_factors(catalog.kinds.get(source.ExtendKind, ())),
        reach,
        database,
    )
    return tables, counters, (*table_problems, *counter_problems)


def _table_patches(loaded: Iterable[LayerSource]) -> Iterator[tuple[str, source.TablePatch]]:
    """Return the patches of charts with their layers, also those that change a title alone, as those of cards do."""
    loaded = tuple(loaded)
    charts = {table.name.text for part in loaded for table in part.tables}
    for part in loaded:
        for patch in part.table_patches:
            yield part.layer.name.text, patch
        for card_patch in part.card_patches:
            if (change := _retitled_chart(card_patch, charts)) is not None:
                name, cites = card_patch.card, card_patch.cites
                yield part.layer.name.text, source.TablePatch(card_patch.span, name, cites, (), (), (), (), change)


def _retitled_chart(patch: source.CardPatch, charts: Container[str]) -> source.TitleChange | None:
    """Return the change of a patch that changes the title of a chart alone."""
    if patch.card.text not in charts or patch.forces or [each.kind for each in patch.parts] != ["title"]:
        return None
    [part] = patch.parts
    return source.TitleChange(part.span, part.expects or "", part.now or "")


def _by_kind(parts: Iterable[layered.LayerStatement[Any]]) -> dict[type, list[layered.LayerStatement[Any]]]:
    """Group procedures and declarations by kind; a kind whose statements are all withdrawn is empty."""
    found: dict[type, list[layered.LayerStatement[Any]]] = {kind: [] for kind in CONDUCT}
    for part in parts:
        found[type(part.node)].append(part)
    return found


def _declared_above(manifests: Mapping[str, source.Layer]) -> dict[str, frozenset[str]]:
    return {name: below for name, below in layer_selection.declared_above(manifests).items() if below}


def _name(file: source.RulesFile) -> str:
    return file.span.file


def _citing(loaded: Iterable[LayerSource], card: CardLayer | None) -> Iterator[tuple[object, ...]]:
    """Return what may contain citations, layer by layer."""
    for part in loaded:
        tables = (*part.tables, *part.charts, *part.table_patches)
        yield (part.layer, *part.files, *tables, *part.piece_patches, *part.card_patches)
    if card is not None:
        yield (card.scenario, *card.victory_rules, *card.region_tracks)


def _patched_cards(
    loaded: Iterable[LayerSource], library: Library, card: CardLayer | None, reach: Mapping[str, frozenset[str]]
) -> tuple[dict[str, PatchedCard], list[Finding]]:
    """Apply the patches of layers to cards; the card on top may be outside the library."""
    loaded = tuple(loaded)
    charts = {table.name.text for part in loaded for table in part.tables}
    patches = [
        (part.layer.name.text, patch)
        for part in loaded
        for patch in part.card_patches
        if _retitled_chart(patch, charts) is None
    ]
    top_cards = {card.scenario.name.text: card.scenario} if card is not None else {}
    known: Mapping[str, source.Scenario] = ChainMap(top_cards, library.scenarios)  # type: ignore[arg-type]  # only read
    return patch_cards(known, patches, reach)


def _rulings(catalog: Catalog, rules: Mapping[str, layered.Rule]) -> dict[str, layered.Ruling]:
    rules_by_ruling: dict[str, list[source.Rule]] = {}
    for rule in rules.values():
        if rule.ruling:
            rules_by_ruling.setdefault(rule.ruling, []).append(rule.node)
    found: dict[str, layered.Ruling] = {}
    for label, placed in catalog.rulings.items():
        parts = (placed, *rules_by_ruling.get(label, ()))
        found[label] = catalog.database.derive("ruling", parts, partial(_ruling, *parts))
    return found


def _ruling(placed: layered.LayerStatement[source.Ruling], *rules: source.Rule) -> layered.Ruling:
    relations = [relation for rule in rules for relation in rule.relations]
    return layered.Ruling(
        placed.layer,
        placed.node,
        tuple(rule.label.text for rule in rules),
        tuple(word.text for part in relations if part.verb == "clarifies" for word in part.labels),
        tuple(each.key for part in relations for each in part.procedures),
    )
