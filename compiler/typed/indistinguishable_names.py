"""Names that a reader cannot distinguish: words of one sort with the same text, equal markers, counters or charts with
one title.

The compiler distinguishes names; the book, the findings and the map show their texts.
"""

from collections.abc import Iterable, Iterator
from itertools import chain

from compiler.source.origins import span_of
from compiler.source.span import Span
from compiler.typed.environment import Environment
from compiler.typed.findings.wordings import ReadsAlike
from runtime.graph import nodes as graph

# Its sort, its span, its name, its text, and the key within which texts must differ.
DeclaredName = tuple[str, Span, str, str, tuple[str, ...]]


def terms_reading_alike(env: Environment, rules: graph.Graph) -> Iterator[ReadsAlike]:
    """Yield a problem for each name of a stack that readers cannot distinguish from another."""
    first: dict[tuple[str, ...], DeclaredName] = {}
    titles = chain(_titles(rules.counters.values()), _chart_titles(rules.tables.values()))
    declared_names = sorted(chain(_words(env), _markers(env), titles), key=lambda each: each[1])
    for category, span, name, reads, scope in declared_names:
        other = first.setdefault((*scope, reads.casefold()), (category, span, name, reads, scope))
        if other[1] != span:
            yield ReadsAlike(span, other[1], category, (other[2], name), reads)


def _words(env: Environment) -> Iterator[DeclaredName]:
    """List the texts of flags, members, measures and kinds of pieces."""
    declared: list[tuple[str, str, str, str]]
    declared = [(flag.what, f"flag of {flag.owner}", flag.name, flag.reads) for flag in env.flags.values()]
    for enum, members in env.enums.items():
        namespace = "side" if enum == "side" else f"member of {enum}"
        declared += [(namespace, namespace, word.name, word.reads) for word in members]
    declared += [("measure", "type", name, reads) for name, reads in env.measures.items()]
    declared += [("kind of piece", "type", kind.name, kind.reads) for kind in env.kinds.values()]
    for category, namespace, name, reads in declared:
        span = env.spans.get((namespace, name))
        if span is not None and reads:
            yield category, span, name, reads, ("reads", category if namespace == "type" else namespace)


def _markers(env: Environment) -> Iterator[DeclaredName]:
    """List the markers of flags."""
    for flag in env.flags.values():
        span = env.spans.get((f"flag of {flag.owner}", flag.name))
        if span is not None and flag.marker:
            yield "marker", span, flag.name, flag.marker, ("marker", flag.owner)


def _titles(counters: Iterable[graph.Counter]) -> Iterator[DeclaredName]:
    """List the titles of counters."""
    for counter in counters:
        if counter.title:
            origin = counter.origin
            span = span_of(origin)
            yield "counter", span, counter.id, counter.title, ("counter", counter.kind, counter.owner)


def _chart_titles(charts: Iterable[graph.Table]) -> Iterator[DeclaredName]:
    """List the titles of charts that have one of their own."""
    return (("chart", span_of(each.origin), each.name, each.title, ("chart",)) for each in charts if each.title)
