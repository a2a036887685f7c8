"""Assembly of the rule graph from a typed stack: canonical order, provenance, hash.

In: a typed stack without errors. Out: its `Graph`. The nodes exist already; here they are sorted, so that equal sources
give equal bytes in any reading order, and the graph is hashed.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
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
    database, layered_stack = stack.env.database, stack.layered
    layers = []
    for manifest in layered_stack.layers:
        books = layered_stack.books.get(manifest.name.text, ())
        layers.append(database.derive("lowered", (manifest, *books), partial(_layer, manifest, books)))
    documents = [_lowered(_document, document, database) for document in layered_stack.documents]
    unhashed_graph = graph.Graph(
        version=VERSION,
        stack=layered_stack.name,
        layers=tuple(layers),
        documents=tuple(sorted(documents, key=attrgetter("prefix"))),
        vocabulary=_vocabulary(stack),
        terms=_sorted(stack.terms),
        rules=_sorted(stack.rules),
        tables=_sorted(stack.tables),
        counters=dict(stack.counters),
        procedures=_sorted(stack.procedures),
        outcome=stack.outcome,
        aims=stack.aims,
        preconditions=stack.preconditions,
        always=tuple(sorted(stack.always, key=attrgetter("label"))),
        cases=_sorted({name: _lowered(_case, case, database) for name, case in layered_stack.cases.items()}),
        rulings=_rulings(layered_stack, database),
        disputes=_disputes(stack, database),
        examples=tuple(sorted(stack.examples, key=_place_of)),
        scenario=stack.scenario,
        hash="",
    )
    return replace(unhashed_graph, hash=graph_digest(unhashed_graph, partial(_text, database)))


def _place_of(example: graph.Example) -> tuple[str, int, int]:
    """Return the file, line and column of an example."""
    origin = example.origin
    return origin.file, origin.line, origin.column


def _text(database: Database, node: object, write: Write) -> str:
    """Return the canonical text of a node; memoized for all graphs that contain it."""
    return database.derive("text", (node, write), partial(write, node))


def _sorted(items: Mapping[str, T]) -> dict[str, T]:
    return {name: items[name] for name in sorted(items)}


def _layer(manifest: source.Layer, books: tuple[source.Book, ...]) -> graph.Layer:
    """Return the layer of a manifest and of its declarations for the printed book."""
    name = manifest.name.text
    publishers = [book.publisher for book in books if book.publisher]
    return graph.Layer(
        name=name,
        kind=manifest.kind.text,
        title=manifest.title,
        on=_texts(manifest.on),
        cites=_texts(manifest.cites),
        card=tuple(map(_texts, manifest.card)),
        see=manifest.see,
        openings=tuple([_opening(name, opening) for book in books for opening in book.openings]),
        headings=tuple([(label.text, title) for book in books for label, title in book.headings]),
        numbers=tuple([(category, label.text, number) for book in books for category, label, number in book.numbers]),
        dates=tuple([(label.text, date) for book in books for label, date in book.dates]),
        index=tuple([(subject, entry, _texts(labels)) for book in books for subject, entry, labels in book.index]),
        asked=tuple([(label.text, phrase) for book in books for label, phrase in book.asked]),
        phases=tuple([(phase.text, _texts(cases)) for book in books for phase, cases in book.phases]),
        authors=tuple([author for book in books for author in book.authors]),
        publisher=publishers[0] if publishers else "",
        faces=tuple([(kind.text, _texts(factors)) for book in books for kind, factors in book.faces]),
    )


def _texts(words: Iterable[source.Word]) -> tuple[str, ...]:
    return tuple(word.text for word in words)


def _opening(layer: str, opening: source.Opening) -> graph.Opening:
    parts = tuple((heading.text, _texts(labels)) for heading, labels in opening.parts)
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
    """Return the origins of statuses, tracks, printed factors, relations and records."""
    env = stack.env
    layer_of_file: dict[str, str] = {}
    for layer, statements in stack.layered.statements.items():
        files = env.database.derive("homes of files", (statements,), partial(_files, statements))
        layer_of_file.update(dict.fromkeys(files, layer))
    origins = {}
    for name, key in _named_declarations(stack):
        span = env.spans.get(key)
        if span is not None:
            origins[name] = _origin_of(layer_of_file.get(span.file, ""), span, env.database)
    return origins


def _named_declarations(stack: TypedStack) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield what has an origin in the vocabulary: its name there, and its namespace and name in the environment."""
    env = stack.env
    for flag in env.flags.values():
        if flag.what == "status":
            yield f"status {flag.owner}.{flag.name}", (f"flag of {flag.owner}", flag.name)
    for track in stack.tracks.values():
        yield f"track {track.owner}.{track.name}", (f"track of {track.owner}", track.name)
    for kind in env.kinds.values():
        for name, _ in kind.first:
            yield f"factor {kind.name}.{name}", (f"factor of {kind.name}", name)
    for name in env.relations:
        yield f"relation {name}", ("relation", name)
    for name in env.records:
        yield f"record {name}", ("type", name)


def _files(statements: tuple[layered.LayerStatement[source.Declaration], ...]) -> frozenset[str]:
    return frozenset(statement.node.span.file for statement in statements)


def _origin_of(layer: str, span: Span, database: Database) -> graph.Origin:
    return database.derive("lowered", (span,), partial(origin_of, layer, span), layer)


def _case(case: layered.Case) -> graph.Case:
    return graph.Case(case.label, case.title, case.number, case.parent, origin_of(case.layer, case.span))


def _rulings(stack: layered.LayeredStack, database: Database) -> dict[str, graph.Ruling]:
    """Return the rulings that no layer removed."""
    in_force = {name: ruling for name, ruling in stack.rulings.items() if name not in stack.removed_by}
    return _sorted({name: _lowered(_ruling, ruling, database) for name, ruling in in_force.items()})


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
        cites=_texts(node.cites),
        origin=origin_of(ruling.layer, node.label.span),
        concerns=tuple(sorted(ruling.concerns)),
    )


def _disputes(stack: TypedStack, database: Database) -> dict[str, graph.Dispute]:
    """Build each dispute with the labels of the rules of its chosen reading, and the rules of the others."""
    labels_by_reading: dict[str, list[str]] = {}
    for label, rule in stack.rules.items():
        if rule.reading:
            labels_by_reading.setdefault(rule.reading, []).append(label)
    disputes = {}
    for name, dispute in stack.layered.disputes.items():
        if name in stack.layered.removed_by:
            continue
        loaded = tuple(sorted(labels_by_reading.get(dispute.chosen, ())))
        laws: list[graph.Rule] = []
        for reading in dispute.node.readings:
            laws += stack.other_readings.get(reading.label.text, ())
        make = partial(_dispute, dispute, loaded, tuple(laws))
        disputes[name] = database.derive("lowered", (dispute.node, *laws), make, dispute.layer, dispute.chosen, loaded)
    return _sorted(disputes)


def _dispute(dispute: layered.Dispute, loaded: tuple[str, ...], laws: tuple[graph.Rule, ...]) -> graph.Dispute:
    node = dispute.node
    readings = []
    for reading in node.readings:
        label, rules = reading.label.text, [law for law in reading.laws if isinstance(law, source.Rule)]
        is_chosen = label == dispute.chosen
        readings.append(
            graph.Reading(
                label=label,
                cites=_texts(reading.cites),
                reason=reading.reason or "",
                chosen=is_chosen,
                # A reading that is not chosen is not loaded; its rules are listed by label.
                rules=loaded if is_chosen else tuple(sorted(rule.label.text for rule in rules)),
                laws=tuple([law for law in laws if law.reading == label]),
                # The charts that it changes.
                charts=tuple(sorted({patch.table.text for rule in rules for patch in rule.patches})),
            )
        )
    origin = origin_of(dispute.layer, node.label.span)
    return graph.Dispute(node.label.text, node.question, tuple(readings), _texts(node.cites), origin)
