"""The chart sheet, and the counter sheet to print and cut out.

The input is the contents of a book; the output is sources by file name, from which `typeset` makes a PDF.
"""

from collections.abc import Iterator
from typing import TypeVar

from compiler.rulebook.added_factors import factor_title
from compiler.rulebook.contents import Contents
from compiler.rulebook.drawings.counters import PrintedFace, chart_face, counter_picture
from compiler.rulebook.drawings.face_places import factors_without_place
from compiler.rulebook.drawings.tints import tint_of
from compiler.rulebook.paper.metadata import opening_lines
from compiler.rulebook.paper.typeset import LOOK, escape, quote
from compiler.rulebook.paper.typst_writer import TypstWriter
from compiler.rulebook.source_order import written_rank
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.document import BookEdition
from runtime.graph.effects import effects_in
from runtime.graph.effects.primitives import CreatePiece

T = TypeVar("T")
COUNTER_EDGE = "15mm"  # of a counter, as most counters of cardboard have it
FULL = 0.79  # points for a pixel of the drawing: it stays within the lines to cut along
ACROSS, DOWN = 12, 17  # counters on a page of A4
HOW_TO_PLACE = "A layer says under `faces` in its book.yaml which factors its counters show, and where."
MARKERS = 6  # of each sort: a book does not define how many are needed at once


def write_chart_text(contents: Contents, title: str) -> dict[str, bytes]:
    """Write the sources of the chart sheet: every chart for players, those of the card first."""
    press = TypstWriter(contents, BookEdition.PLAYER)
    panels = map(press.panel, press.blocks.charts().blocks)
    parts = [opening_lines(contents, "charts"), f"#sheet({', '.join([quote(title), quote('Charts'), *panels])})"]
    return {"main": "\n\n".join(parts).encode(), "look.typ": LOOK.read_bytes()}


def write_counter_text(contents: Contents, title: str) -> dict[str, bytes]:
    """Write the sources of the counter sheet: fronts, each page followed by its mirrored backs, then markers."""
    press = TypstWriter(contents)
    parts = [
        opening_lines(contents, "counters"),
        f"#set document(title: {quote(f'{title}: counters')}, date: none)",
        '#set text(font: "Libertinus Serif")',
        '#set page(paper: "a4", margin: (x: 12mm, top: 10mm, bottom: 10mm))',
        "\n#pagebreak()\n".join(_pages(press, title)),
    ]
    if missing := factors_without_place(contents.book):
        called = words.list_text([factor_title(contents.book, key) for key in missing])
        parts.append(f"#text(9pt)[*Not on the faces:* {escape(called)}. {escape(HOW_TO_PLACE)}]")
    return {"main": "\n\n".join(parts).encode(), "look.typ": LOOK.read_bytes(), **press.pictures}


def _pages(press: TypstWriter, title: str) -> Iterator[str]:
    book = press.contents.book
    note = "As many of each as the situation has." if book.scenario else (
        "One of each. The situation decides how many are used; the book of its card prints that many."
    )  # fmt: skip
    markers = [
        press.picture(counter_picture(PrintedFace(marker, tint_of(""), (), "")), FULL) for marker in _markers(book)
    ]
    pages = [*_parts(_copies(book), ACROSS * DOWN)]
    for number, page in enumerate(pages, 1):
        front = _cutting(f"{title}, counters {number}, front", note, [_face(press, counter) for counter in page])
        # Markers use the rest of the last page, if they all fit; the title over them is as high as a row.
        if number == len(pages) and -(-len(page) // ACROSS) + -(-len(markers) // ACROSS) < DOWN:
            front, markers = "\n".join((front, *_marked(title, markers))), []
        yield front
        backs = [_face(press, book.counters[counter.back]) if counter.back else "[]" for counter in page]
        if any(back != "[]" for back in backs):
            yield _cutting(f"{title}, counters {number}, back", "Print behind the front.", mirrored_rows(backs))
    yield from _marked(title, markers)


def _marked(title: str, markers: list[str]) -> Iterator[str]:
    """Format markers, page by page."""
    note = f"{MARKERS} of each; print more as play asks for them."
    yield from (_cutting(f"{title}, markers", note, faces) for faces in _parts(markers, ACROSS * DOWN))


def _parts(items: list[T], size: int) -> Iterator[list[T]]:
    return (items[index : index + size] for index in range(0, len(items), size))


def mirrored_rows(faces: list[str]) -> list[str]:
    """Reverse each row, so that a back lies behind its front when the sheet is flipped on its long side."""
    full = [*faces, *["[]"] * (-len(faces) % ACROSS)]
    return [face for row in _parts(full, ACROSS) for face in reversed(row)]


def _cutting(title: str, note: str, faces: list[str]) -> str:
    return f"#cutting([{escape(title)}], [{escape(note)}], {COUNTER_EDGE}, {ACROSS}, {', '.join(faces)})"


def _face(press: TypstWriter, counter: graph.Counter) -> str:
    return press.picture(counter_picture(chart_face(press.contents.book, counter)), FULL)


def _copies(book: graph.Graph) -> list[graph.Counter]:
    """Return the counters to print, copies side by side: those of the situation, or one of each that is no back."""
    backs = {counter.back for counter in book.counters.values()}
    order = sorted(book.counters.values(), key=lambda one: (one.owner, one.kind, *written_rank(book, one), one.id))
    if book.scenario is None:
        return [candidate for candidate in order if candidate.id not in backs]
    counts: dict[str, int] = {}
    for force in book.scenario.forces:
        for name, count in force.units:
            counts[name] = counts.get(name, 0) + count
        for posted in force.placed:
            counts[posted.counter] = counts.get(posted.counter, 0) + 1
    return [candidate for candidate in order for _ in range(counts.get(candidate.id, 0))]


def _markers(book: graph.Graph) -> list[str]:
    """Return the markers that are put on counters and on hexes, each as often as it is printed."""
    flags = book.vocabulary.flags.values()
    names = [flag.marker for flag in flags if flag.what == "status" and flag.marker]
    # Play creates pieces of kinds that have no counters in any chart.
    charted = {counter.kind for counter in book.counters.values()}
    bodies = tuple(procedure.body for procedure in book.procedures.values())
    created = dict.fromkeys(effect.kind for effect in effects_in(bodies, CreatePiece))
    names += [words.kind(kind, book.vocabulary) for kind in created if kind not in charted]
    return [name for name in dict.fromkeys(map(words.readable_name, names)) for _ in range(MARKERS)]
