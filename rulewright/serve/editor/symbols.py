"""The symbol at a cursor: its meaning, its declarations and uses.

In: the index of a stack (workspace.py) and a one-based position in a file. Out: locations and texts, which the
server converts to those of the protocol.
"""

from collections.abc import Iterable
from itertools import chain
from pathlib import Path

from compiler.index.occurrences import Occurrence
from compiler.source.files import split_lines
from compiler.source.span import Span
from compiler.typed.environment import type_text
from compiler.typed.name_uses import LOCAL
from rulewright.explain.views.pages import as_text, explain_page
from rulewright.explain.views.paragraph_source import cut_paragraph
from rulewright.serve.editor.workspace import EditorWorkspace, IndexedStack
from runtime.graph.frozen_dataclass import frozen_dataclass

# The first words of the keys of symbols by the first key of a page of `explain` (views/name_pages.py, views/pages.py),
# if they differ.
PAGES = {
    "question": "term",
    "rule": "label",
    "ruling": "label",
    "dispute": "label",
    "case": "label",
    "kind": "type",
    "enumeration": "type",
    "scale": "type",
    "measure": "type",
    "domain": "type",
    "record": "type",
    "counter": "member",
}
LONGEST_DECLARATION = 12  # lines
# The printed kinds of symbols, if they differ from those in keys.
CALLED = {"label": "paragraph", "printed": "printed on the counters", "given": "of every map and piece", LOCAL: "name"}


@frozen_dataclass
class Location:
    """A span of a file, with the file's text."""

    path: Path
    span: Span
    text: str


def meaning_of(workspace: EditorWorkspace, indexed: IndexedStack, path: Path, name: Occurrence) -> str:
    """Return the meaning of a name: its kind, its type, and its page of `explain` or its declaration.

    "" for a parameter without a declaration in the index.
    """
    kind, _, called = name.symbol.partition(" ")
    head = _headline(indexed, name, kind, called)
    declared = next(iter(indexed.index.declarations(name.symbol)), None)
    if declared is None and kind == "parameter":
        return ""
    declaration = "" if declared is None or kind == LOCAL else _declaration(indexed, declared)
    stack = workspace.stack_of(path)
    if kind != LOCAL and stack is not None and stack.graph is not None:
        page = explain_page(stack, called if kind == "source" else called.rpartition(".")[2]) or {}
        for each in (page, *page.get("also", ())):
            begins = next(iter(each), "")
            if PAGES.get(begins, begins) == kind:
                # A `define` is a question with its rule, and has the page of the question.
                paragraph = each["paragraph"] or (page["paragraph"] if "rule" in page else declaration)
                return as_text({**each, "paragraph": paragraph, "also": []}, stack.graph)
    return f"{head}\n\n{declaration}".rstrip()


def _headline(indexed: IndexedStack, name: Occurrence, kind: str, called: str) -> str:
    """Return a line that describes a name; for a local name, with its paragraph."""
    type_ = name.type or next((each.type for each in indexed.index.occurrences_of(name.symbol) if each.type), None)
    ending = f": {type_text(type_)}" if type_ else ""
    if kind != LOCAL:
        return f"{CALLED.get(kind, kind)} {called}{ending}"
    declared = next(iter(indexed.index.declarations(name.symbol)), None)
    if declared is None:
        return f"name{ending}"
    text = indexed.packages.library.texts[declared.span.file]
    return f"{cut_paragraph(text, declared.span)}{ending}, from line {declared.span.line}"


def _declaration(indexed: IndexedStack, declared: Occurrence) -> str:
    """Return the line that declares a name, with the comments above it."""
    lines = split_lines(indexed.packages.library.texts[declared.span.file])
    first = last = declared.span.line - 1
    while first > 0 and lines[first - 1].lstrip().startswith("#") and last - first < LONGEST_DECLARATION:
        first -= 1
    excerpt = "\n".join(line.strip() for line in lines[first : last + 1])
    return f"{excerpt}\n{declared.span.file}:{declared.span.line}"


def declarations_at(indexed: IndexedStack, names: tuple[Occurrence, ...]) -> list[Location]:
    """Return the declarations of some names."""
    places = (each for name in names for each in indexed.index.declarations(name.symbol))
    return sorted_places(indexed, places)


def registrations_at(indexed: IndexedStack, names: tuple[Occurrence, ...]) -> list[Location]:
    """Return where the sources register the items of some citations: the item, its section, or its document."""
    places = []
    for kind, _, item in (name.symbol.partition(" ") for name in names):
        for document in indexed.packages.library.documents if kind == "source" else ():
            prefix = document.prefix
            if item.partition(".")[0] == prefix.text:
                section = (word for word, _ in document.sections if item.startswith(f"{prefix.text}.{word.text}."))
                items = (word for word in document.items if word.text == item)
                places.append(next(chain(items, section, (prefix,))).span)
    return _locations(indexed, places)


def uses_at(indexed: IndexedStack, names: tuple[Occurrence, ...], *, declarations: bool = True) -> list[Location]:
    """Return the uses of some names in the stack, with declarations unless excluded."""
    places = (each for name in names for each in indexed.index.occurrences_of(name.symbol))
    return sorted_places(indexed, (place for place in places if declarations or not place.declares))


def sorted_places(indexed: IndexedStack, places: Iterable[Occurrence]) -> list[Location]:
    """Return the places of occurrences, each once, in the order of files and lines."""
    return _locations(indexed, sorted({place.span for place in places}))


def _locations(indexed: IndexedStack, spans: Iterable[Span]) -> list[Location]:
    """Return the locations of spans in files whose paths are known."""
    texts = indexed.packages.library.texts
    return [Location(path, span, texts[span.file]) for span in spans if (path := indexed.path_of(span.file))]
