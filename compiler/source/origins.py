"""Conversion between spans of files and origins of nodes of the graph."""

from compiler.source.span import Span
from runtime.graph import nodes as graph


def origin_of(layer: str, span: Span) -> graph.Origin:
    """Return the origin of a node that a layer has in a span."""
    return graph.Origin(layer, span.file, span.line, span.column, span.end_line, span.end_column)


def span_of(origin: graph.Origin) -> Span:
    """Return the span of an origin."""
    return Span(origin.file, origin.line, origin.column, origin.end_line, origin.end_column)
