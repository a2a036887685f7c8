"""What an edit may be made in: the paragraphs of `.rules` files, the charts, counters and cards of YAML files.

Each is known by the names under which a comparison has to list what is changed in it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from compiler.layered.choose import choose_layers, parse_request
from compiler.source import nodes as source
from compiler.source.nodes import laws_inside
from compiler.source.package import Library
from compiler.source.span import Span
from tests.edits.text import Text


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One thing that is said; `what` is rule, term, procedure, sequence, note, pair, chart, counter or card."""

    what: str
    names: tuple[str, ...]
    node: object
    span: Span
    file: Path
    text: Text


def paragraphs(library: Library, stack: str) -> list[Paragraph]:
    """List the paragraphs of all layers of a stack, file by file."""
    found: list[Paragraph] = []
    for layer in choose_layers(library.layers, parse_request(stack))[0]:
        for file in library.files[layer.name.text]:
            content = library.texts.content(file)
            text = Text(file.name, content.text)
            if file.path.suffix == ".rules":
                said = _of_rules(content.rules(layer.name.text)[0].statements)
            else:
                said = _of_yaml(content.documents[0])
            found += [Paragraph(what, names, node, node.span, file.path, text) for what, names, node in said]
    return found


def _of_rules(statements: Iterable[Any]) -> Iterator[tuple[str, tuple[str, ...], Any]]:  # noqa: C901 -- one case a paragraph
    for each in statements:
        match each:
            case source.Rule(label=label):
                yield "rule", (label.text, *(patch.table.text for patch in each.patches)), each
            case source.Define(name=name):
                yield "define", (name.text, name.text.replace("_", "-")), each
            case source.Term(name=name):
                yield "term", (name.text,), each
            case source.Track(owner=owner, name=name):
                yield "note", (name.text, f"{owner.text}.{name.text}"), each
            case source.Status(owner=owner, items=items):
                yield "note", tuple(f"{owner.text}.{item.name.text}" for item in items), each
            case source.Relation(name=name):
                yield "pair", (name.text,), each
            case source.Action(name=name) | source.Resolution(name=name) | source.Reaction(name=name):
                yield "procedure", (name.text,), each
            case source.Hook(event=event):
                yield "procedure", (f"after {event.text}", *((each.label.text,) if each.label else ())), each
            case source.Task(name=name):
                yield "procedure", (name.text,), each
            case source.Sequence() | source.Insert() | source.Beside():
                yield "sequence", (), each
            case source.Case(guard=guard, laws=laws):
                if guard is not None:
                    yield "case", tuple(_labels(laws)), each
                yield from _of_rules(laws)
            case source.Ruling() | source.Reading() | source.Dispute():
                yield from _of_rules(laws_inside(each))
            case _:
                pass


def _labels(laws: Iterable[object]) -> Iterator[str]:
    for law in laws:
        if isinstance(law, source.Rule):
            yield law.label.text
        yield from _labels(laws_inside(law))


def _of_yaml(documents: Iterable[Any]) -> Iterator[tuple[str, tuple[str, ...], Any]]:
    for each in documents:
        match each:
            case source.Table(name=name) | source.TablePatch(table=name):
                yield "chart", (name.text,), each
            case source.PieceChart(rows=rows) | source.PiecePatch(add=rows):
                for row in rows:
                    yield "counter", (row.id.text,), row
            case _:
                pass
