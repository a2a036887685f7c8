"""Retrieval of the source text of a paragraph of a stack."""

from textwrap import dedent

from compiler.source.files import split_lines
from compiler.source.nodes import Dispute, Reading, Rule, Ruling, nested_laws
from compiler.source.package import Library, load_layer
from compiler.source.span import Span

# A case has no paragraph of its own.
LABELED = Dispute | Reading | Rule | Ruling


def find_paragraph(library: Library, layer: str, label: str) -> str:
    """Return the source text of a label in a layer, of several the outermost; "" if there is none."""
    law = find_law(library, layer, label)
    return "" if law is None else cut_paragraph(library.texts[law.span.file], law.span)


def find_law(library: Library, layer: str, label: str) -> LABELED | None:
    """Return the law of a label in a layer, of several the outermost; None if there is none."""
    if layer not in library.layers:
        return None  # A rule of a scenario card.
    read, _ = load_layer(library, layer)
    for law in nested_laws(read.statements()):
        if isinstance(law, LABELED) and law.label.text == label:
            return law
    return None


def cut_paragraph(text: str, span: Span) -> str:
    """Return the text of a span without its indentation."""
    lines = split_lines(text)[span.line - 1 : span.end_line]
    lines[0] = " " * (span.column - 1) + lines[0][span.column - 1 :]
    lines[-1] = lines[-1][: span.end_column - 1]
    return dedent("\n".join(lines))
