"""Assembly of the rule graph from a typed stack: canonical order, provenance, hash.

In: a typed stack without errors. Out: its `Graph`. The nodes exist already; here they are sorted, so that equal sources
give equal bytes in any reading order, and the graph is hashed.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import TypeVar

from compiler.layered import nodes as layered
from compiler.query.database import Database
from compiler.source import nodes as source
from compiler.source.origins import origin_of
from compiler.source.span import Span
from compiler.typed.from_layered import TypedStack
from runtime.graph import nodes as graph
from runtime.graph.canonical import Write
from runtime.graph.digest import graph_digest
from runtime.graph.version import VERSION

S = TypeVar("S")
T = TypeVar("T")


def lower_stack(stack: TypedStack) -> graph.Graph:
    """Build the graph of a stack without errors. Nodes that stacks have in common are shared."""
    database = stack.env.database
    unhashed_graph = graph.Graph(
        version=VERSION,
        stack=stack.layered.name,
        layers=tuple(
            _layer_of(part, stack.layered.books.get(part.name.text, ()), database) for part in stack.layered.layers
        ),
        documents=tuple(
            sorted((_lowered(_document, each, database) for each in stack.layered.documents), key=attrgetter("prefix"))
        ),
        vocabulary=_vocabulary(stack),
        terms=_sorted(stack.terms),
        rules=_sorted(stack.rules),
        tables=_sorted(stack.tables),
        counters=dict(stack.counters),
        procedures=_sorted(stack.procedures),
        outcome=stack.outcome,
        preconditions=stack.preconditions,
        always=tuple(sorted(stack.always, key=lambda part: part.label)),
        cases=_sorted({name: _lowered(_case, part, database) for name, part in stack.layered.cases.items()}),
        rulings=_sorted(
            {
                name: _lowered(_ruling, part, database)
                for name, part in stack.layered.rulings.items()
                if name not in stack.layered.removed_by
            }
        ),
        disputes=_disputes(stack, database),
        examples=tuple(sorted(stack.examples, key=lambda e: (e.origin.file, e.origin.line, e.origin.column))),
        scenario=stack.scenario,
        hash="",
    )
    return replace(unhashed_graph, hash=graph_digest(unhashed_graph, partial(_text, database)))


def _text(database: Database, node: object, write: Write) -> str:
    """Return the canonical text of a node; memoized for all graphs that contain it."""
    return database.derive("text", (node, write), partial(write, node))


def _sorted(items: Mapping[str, T]) -> dict[str, T]:
    return {name: items[name] for name in sorted(items)}


def _layer_of(manifest: source.Layer, books: tuple[source.Book, ...], database: Database) -> graph.Layer:
    return database.derive("lowered", (manifest, *books), partial(_layer, manifest, books))


def _layer(manifest: source.Layer, books: tuple[source.Book, ...]) -> graph.Layer:
    return graph.Layer(
        name=manifest.name.text,
        kind=manifest.kind.text,
        title=manifest.title,
        on=tuple(word.text for word in manifest.on),
        cites=tuple(word.text for word in manifest.cites),
        card=tuple(tuple(word.text for word in side) for side in manifest.card),
        see=manifest.see,
        openings=tuple(_opening(manifest.name.text, opening) for book in books for opening in book.openings),
        headings=tuple((label.text, title) for book in books for label, title in book.headings),
        numbers=tuple((category, label.text, number) for book in books for category, label, number in book.numbers),
        dates=tuple((label.text, date) for book in books for label, date in book.dates),
        index=tuple(
            (subject, sub_entry, tuple(label.text for label in labels))
            for book in books
            for subject, sub_entry, labels in book.index
        ),
        asked=tuple((label.text, phrase) for book in books for label, phrase in book.asked),
        phases=tuple(
            (phase.text, tuple(case.text for case in cases)) for book in books for phase, cases in book.phases
        ),
        authors=tuple(author for book in books for author in book.authors),
        publisher=next((book.publisher for book in books if book.publisher), ""),
        faces=tuple(
            (kind.text, tuple(each.text for each in factors)) for book in books for kind, factors in book.faces
        ),
    )


def _opening(layer: str, opening: source.Opening) -> graph.Opening:
    parts = tuple((heading.text, tuple(label.text for label in labels)) for heading, labels in opening.parts)
    origin = origin_of(layer, opening.case.span)
    return graph.Opening(opening.case.text, opening.rule, opening.procedure, parts, origin)


def _lowered(lower: Callable[[S], T], node: S, database: Database) -> T:
    """Return the node of the graph that is made of one of the stack; memoized for all stacks that contain it."""
    return database.derive("lowered", (node,), partial(lower, node))


def _document(document: source.Document) -> graph.Document:
    sections = tuple((word.text, count) for word, count in document.sections)
    headings = tuple((word.text, title) for word, title in document.headings)
    edition = document.edition or ""
    return graph.Document(document.prefix.text, document.title, edition, sections, headings, document.date)


def _vocabulary(stack: TypedStack) -> graph.Vocabulary:
    """Return the vocabulary; members of enumerations keep their declared order, everything else is sorted."""
    env = stack.env
    return graph.Vocabulary(
        measures=_sorted(env.measures),
        domains=_sorted(env.domains),
        enums=_sorted({name: _enumeration_of(name, words, env.database) for name, words in env.enums.items()}),
        scales=_sorted(env.scales),
        kinds=dict(env.kinds),
        flags=_sorted(env.flags),
        tracks=_sorted(stack.tracks),
        relations=_sorted(env.relations),
        records=_sorted(env.records),
        events=_sorted(env.events),
        wording=_sorted(env.wording),
        origins=_sorted(_origins(stack)),
    )


def _enumeration_of(name: str, words: tuple[graph.Word, ...], database: Database) -> graph.Enumeration:
    return database.derive("lowered", (words,), partial(graph.Enumeration, name, words), name)


def _origins(stack: TypedStack) -> dict[str, graph.Origin]:
    """Return the origins of statuses, tracks, relations and records."""
    env = stack.env
    layers = {
        file: layer
        for layer, statements in stack.layered.statements.items()
        for file in env.database.derive("homes of files", (statements,), partial(_files, statements))
    }
    statuses = (flag for flag in env.flags.values() if flag.what == "status")
    keys = {f"status {flag.owner}.{flag.name}": (f"flag of {flag.owner}", flag.name) for flag in statuses}
    keys |= {
        f"track {track.owner}.{track.name}": (f"track of {track.owner}", track.name) for track in stack.tracks.values()
    }
    keys |= {
        f"factor {kind.name}.{name}": (f"factor of {kind.name}", name)
        for kind in env.kinds.values()
        for name, _ in kind.first
    }
    keys |= {f"relation {name}": ("relation", name) for name in env.relations}
    keys |= {f"record {name}": ("type", name) for name in env.records}
    spans = ((name, env.spans[key]) for name, key in keys.items() if key in env.spans)
    return {name: _origin_of(layers.get(span.file, ""), span, env.database) for name, span in spans}


def _files(statements: tuple[layered.LayerStatement[source.Declaration], ...]) -> frozenset[str]:
    return frozenset(part.node.span.file for part in statements)


def _origin_of(layer: str, span: Span, database: Database) -> graph.Origin:
    return database.derive("lowered", (span,), partial(origin_of, layer, span), layer)


def _case(case: layered.Case) -> graph.Case:
    return graph.Case(case.label, case.title, case.number, case.parent, origin_of(case.layer, case.span))


def _ruling(ruling: layered.Ruling) -> graph.Ruling:
    node = ruling.node
    return graph.Ruling(
        label=node.label.text,
        kind=node.kind,
        impact=node.impact or "none",
        asks=node.asks,
        answers=node.answers,
        rules=tuple(sorted(ruling.rules)),
        clarifies=tuple(sorted(ruling.clarifies)),
        cites=tuple(word.text for word in node.cites),
        origin=origin_of(ruling.layer, node.label.span),
        concerns=tuple(sorted(ruling.concerns)),
    )


def _disputes(stack: TypedStack, database: Database) -> dict[str, graph.Dispute]:
    """Build each dispute with the labels of the rules of its chosen reading, and the rules of the others."""
    followed: dict[str, list[str]] = {}
    for label, rule in stack.rules.items():
        if rule.reading:
            followed.setdefault(rule.reading, []).append(label)
    found = {}
    for name, part in stack.layered.disputes.items():
        if name in stack.layered.removed_by:
            continue
        loaded = tuple(sorted(followed.get(part.chosen, ())))
        labels = [reading.label.text for reading in part.node.readings]
        laws = tuple([law for label in labels for law in stack.other_readings.get(label, ())])
        make = partial(_dispute, part, loaded, laws)
        found[name] = database.derive("lowered", (part.node, *laws), make, part.layer, part.chosen, loaded)
    return _sorted(found)


def _dispute(dispute: layered.Dispute, loaded: tuple[str, ...], laws: tuple[graph.Rule, ...]) -> graph.Dispute:
    node = dispute.node
    readings = tuple(
        graph.Reading(
            label=reading.label.text,
            cites=tuple(word.text for word in reading.cites),
            reason=reading.reason or "",
            chosen=reading.label.text == dispute.chosen,
            # A reading that is not chosen is not loaded; its rules are listed by label.
            rules=loaded
            if reading.label.text == dispute.chosen
            else tuple(sorted(law.label.text for law in reading.laws if isinstance(law, source.Rule))),
            laws=tuple([law for law in laws if law.reading == reading.label.text]),
            charts=_charts_of(reading),
        )
        for reading in node.readings
    )
    cites = tuple(word.text for word in node.cites)
    return graph.Dispute(node.label.text, node.question, readings, cites, origin_of(dispute.layer, node.label.span))


def _charts_of(reading: source.Reading) -> tuple[str, ...]:
    """Return the charts that the rules of a reading change."""
    rules = [law for law in reading.laws if isinstance(law, source.Rule)]
    return tuple(sorted({patch.table.text for rule in rules for patch in rule.patches}))
