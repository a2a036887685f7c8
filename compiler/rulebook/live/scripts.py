"""Write the scripts that pages load on demand: the module once, and for each page its positions and questions.

The input is the contents of a book, its `LiveBook`, and the rendered pages; the output is scripts by path. A page that
was opened from a file must not fetch data, but it may load scripts: binaries are contained in them, compressed, as
base64.
"""

import base64
import gzip
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from compiler.rulebook.charts import key_title
from compiler.rulebook.contents import Contents, example_anchor
from compiler.rulebook.drawings.diagrams import map_centers
from compiler.rulebook.examples import PrintableExample
from compiler.rulebook.links import address_part
from compiler.rulebook.live.forms import chart_forms, form_question
from compiler.rulebook.live.module import LiveBook, LiveCase
from compiler.rulebook.live.patterns import number_members, number_scale_places, written_pattern
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.layout import BELOW

LEVEL = 6  # of compression: 9 takes five times as long, a twelfth of the time of a book, for four percent less.
LIVE = re.compile(rb'data-live="([^"]+)"')
EXAMPLES_OF_QUESTION = 2  # The number of examples on the page of a question in which it can be evaluated.
ASKED_OF = "term:"  # The key of the questions on the page of a question, among examples.
CHARTS = "charts"


def script_of(path: str) -> str:
    """Return the path of the script of a page."""
    return f"live/{address_part(path.removesuffix('.html').replace('/', '-'))}.js"


@frozen_dataclass
class LiveModule:
    """The module that the questions of a book call, and the examples with questions, by their anchors."""

    contents: Contents
    book: LiveBook
    examples: dict[str, tuple[graph.Example, PrintableExample, tuple[LiveCase, ...]]]
    anchors_by_term: dict[str, tuple[str, ...]]


def gather_pages(contents: Contents, book: LiveBook) -> LiveModule:
    """Collect the questions of all pages."""
    printables = {
        (printable.origin, printable.title): printable
        for home_examples in contents.examples.values()
        for printable in home_examples
    }
    live_examples: dict[str, tuple[graph.Example, PrintableExample, tuple[LiveCase, ...]]] = {}
    by_term: dict[str, list[str]] = {}
    for example in contents.book.examples:
        cases = book.cases.get((example.origin, example.title), ())
        printable = printables.get((example.origin, words.sentence(example.title).removesuffix(".")))
        if not cases or printable is None:
            continue
        anchor = example_anchor(printable.title, printable.origin)
        live_examples[anchor] = example, printable, cases
        for number in dict.fromkeys(question.question for case in cases for question in case.questions):
            name = book.patterns[number].question.term
            if name and printable.drawing.svg and anchor not in by_term.setdefault(name, []):
                by_term[name].append(anchor)
    return LiveModule(
        contents, book, live_examples, {name: tuple(found[:EXAMPLES_OF_QUESTION]) for name, found in by_term.items()}
    )


def write_scripts(live: LiveModule, pages: Mapping[str, bytes]) -> dict[str, bytes]:
    """Write the module, and the script of each page that has questions."""
    files = {"live/module.js": _script("module", _module(live))}
    for path, text in pages.items():
        place_names = list(dict.fromkeys(found.decode() for found in LIVE.findall(text)))
        if place_names:
            files[script_of(path)] = _script("page", _page(live, place_names))
    return files


def _script(name: str, data: dict[str, Any]) -> bytes:
    return f"LIVE.{name} = {json.dumps(data, ensure_ascii=False, separators=(',', ':'))};\n".encode()


def _module(live: LiveModule) -> dict[str, Any]:
    layout = live.book.layout
    return {
        "code": _packed(live.book.module),
        "constants": layout.constants,
        "heap": layout.heap,
        "words": {index: layout.bitset_words(index) for index in ("piece", "hex", "enum")},
        "arrays": {
            name: layout.arrays[name].base for name in ("hex", "place", "first_at", "next_at") if name in layout.arrays
        },
        "pieces": layout.pieces,
        "below": BELOW,
        "names": layout.enum_members,
        "enums": number_members(live.contents.book, layout.enum_members),
        "scales": number_scale_places(live.contents.book),
    }


def _packed(data: bytes) -> str:
    return base64.b64encode(gzip.compress(data, LEVEL, mtime=0)).decode()


def _page(live: LiveModule, place_names: list[str]) -> dict[str, Any]:
    images: dict[bytes, int] = {live.book.blank: 0}
    places: dict[str, Any] = {}
    used: set[int] = set()
    for name in place_names:
        if name == CHARTS:
            places[name] = _charts(live, used)
        elif name.startswith(ASKED_OF):
            term = name.removeprefix(ASKED_OF)
            found = [_place(live, anchor, images, used, term) for anchor in live.anchors_by_term[term]]
            places[name] = {"positions": found}
        else:
            places[name] = _place(live, name, images, used, "")
    book = live.contents.book
    patterns = {number: written_pattern(book, live.book.patterns[number]) for number in sorted(used)}
    labels = sorted({label for pattern in patterns.values() for label in pattern["by"]})
    return {
        "places": places,
        "patterns": patterns,
        "rules": {label: _rule(live.contents, label) for label in labels},
        "sizes": [len(image) for image in images],
        "images": _packed(_differences(images)),
    }


def _differences(images: Iterable[bytes]) -> bytes:
    """Join positions, each as its difference from the first: most of it is zero."""
    first, *others = images
    size = max(map(len, (first, *others)))
    base = int.from_bytes(first, "little")
    return first.ljust(size, b"\0") + b"".join(
        (int.from_bytes(other, "little") ^ base).to_bytes(size, "little") for other in others
    )


def _rule(contents: Contents, label: str) -> list[str]:
    key = ("rule", label)
    return [contents.numbers.get(key, ""), contents.titles.get(key, label), contents.links.link_to(key)]


def _place(live: LiveModule, anchor: str, images: dict[bytes, int], used: set[int], term: str) -> dict[str, Any]:
    """Write an example; on the page of a question also its picture, and only the questions of that term."""
    example, printable, cases = live.examples[anchor]
    centers = map_centers(example.position)
    written = []
    for case in cases:
        questions = [
            question
            for question in case.questions
            if not term or live.book.patterns[question.question].question.term == term
        ]
        if not questions:
            continue
        used.update(question.question for question in questions)
        written.append({
            "label": ", ".join(
                f"{name} {value}" for name, value in zip(printable.names, printable.rows[case.row].given, strict=True)
            ) if printable.rows else "",
            "image": images.setdefault(case.image, len(images)),
            "at": case.piece_hexes,
            "more": case.more_names,
            "asked": [[question.question, question.arguments] for question in questions],
        })  # fmt: skip
    place: dict[str, Any] = {
        "title": printable.title,
        "hexes": cases[0].hexes,
        "pieces": cases[0].pieces,
        "kinds": cases[0].kinds,
        "centers": [[round(part, 1) for part in centers[name]] if name in centers else None for name in cases[0].hexes],
        "cases": written,
    }
    if term:
        place |= {"svg": printable.drawing.svg, "legend": printable.drawing.legend, "notes": printable.drawing.notes}
    return place


def _charts(live: LiveModule, used: set[int]) -> dict[str, Any]:
    """Write the forms of charts."""
    book = live.contents.book
    numbers = {pattern.question: number for number, pattern in enumerate(live.book.patterns)}
    forms = []
    for form in chart_forms(book):
        found = [numbers[form_question(book, term)] if term else -1 for term in (form.reader, form.finder)]
        used.update(number for number in found if number >= 0)
        forms.append({
            "chart": form.table, "reader": found[0], "finder": found[1], "column": form.column, "die": form.die,
            "fields": [_field_titles(book, form.reader), _field_titles(book, form.finder) if form.finder else []],
        })  # fmt: skip
    return {"forms": forms}


def _field_titles(book: graph.Graph, term: str) -> list[str]:
    """Return the titles of the fields of a form."""
    return [key_title(book, part) for part in form_question(book, term).parameters]
