"""Write the book of a stack to a folder: as a site, as PDF, for wikis.

In: a compiled stack, the stack that it is compared with, and the requested forms. Out: files in a folder, or the
findings that prevent the book.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from enum import StrEnum
from functools import partial
from pathlib import Path

from compiler.layered.citations import known_items
from compiler.report.diagnose import diagnose
from compiler.report.diagnostic import Diagnostic
from compiler.rulebook.book import count_anchors, count_pages, write_site
from compiler.rulebook.booklet import Baseline
from compiler.rulebook.contents import Contents
from compiler.rulebook.evidence import ExampleOutcome
from compiler.rulebook.live.module import LiveBook
from compiler.rulebook.markdown import write_wiki
from compiler.rulebook.paper.leaflet import write_leaflet_text
from compiler.rulebook.paper.player_edition import write_player_text
from compiler.rulebook.paper.quick_reference import write_card_text
from compiler.rulebook.paper.sheets import write_chart_text, write_counter_text
from compiler.rulebook.paper.typeset import can_print, print_pdf
from compiler.rulebook.paper.typst_writer import write_book_text
from compiler.rulebook.titles import book_title, short_title
from compiler.source.garbage_collection import without_garbage_collection
from compiler.source.sentence import Severity
from rulewright.book.book_evidence import gather_evidence, publication_obstacles
from rulewright.book.source_texts import NO_TEXTS, read_source_texts
from rulewright.library.stacks import PackageSet, Stack
from rulewright.system.atomic_files import save_folder
from rulewright.system.environment import command_for
from rulewright.system.errors import UsageError
from rulewright.system.progress import report_stage
from rulewright.system.regular_files import read_text_file
from rulewright.system.worker import run_parallel
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.records.packages import BookRecord


class Edition(StrEnum):
    """An edition of the book as PDF, by the name of its file."""

    PLAYER = "player"
    UMPIRE = "umpire"
    CARD = "card"
    CHARTS = "charts"
    COUNTERS = "counters"
    CHANGES = "changes"


@frozen_dataclass
class Forms:
    """The forms of a book besides the site; `editions` without content are omitted."""

    editions: tuple[Edition, ...] = ()
    wiki: bool = False
    live: Callable[[graph.Graph, Iterable[ExampleOutcome], bytes], LiveBook | None] | None = None  # what pages can ask
    sources: Path | None = None  # a folder with the sources' own words


@frozen_dataclass
class _WrittenBook:
    """A written book, or the findings that prevent it."""

    record: BookRecord
    obstacles: list[Diagnostic]


def write_reference(
    package_set: PackageSet, stack: Stack, against: Baseline | None, out: Path, forms: Forms
) -> _WrittenBook:
    """Write all pages, unless an example fails or a rule lacks its source, its sentence or an example."""
    assert stack.graph
    if forms.editions and not can_print():
        raise UsageError(f"a PDF needs typst, which is not here: {command_for('pdf')}")
    evidence = gather_evidence(package_set, stack)
    missing = [
        replace(each, severity=Severity.ERROR)
        for each in diagnose(publication_obstacles(stack.graph, evidence), stack.texts)
    ]
    if missing:
        return _WrittenBook({"files": [], "pages": 0, "anchors": 0}, missing)
    report_stage("writing the pages")
    texts = read_source_texts(forms.sources) if forms.sources else NO_TEXTS
    quoted = texts.paragraphs
    live = partial(forms.live, stack.graph, evidence.outcomes, evidence.stamp) if forms.live else lambda: None
    with (
        without_garbage_collection(),
        run_parallel(live) as live_book,
    ):  # Without a cache entry, the live book takes longer than the contents.
        contents = Contents(stack.graph, evidence.outcomes, against, quoted)
        files = {**write_site(contents, live_book()), **_other_files(contents, forms)}
    listed = "\n".join(sorted(files)) + "\n"
    save_folder(out, {**files, LIST: listed.encode()}, _earlier_files(out))
    record: BookRecord = {"files": sorted(files), "pages": count_pages(files), "anchors": count_anchors(files)}
    if forms.sources:
        cited = contents.mentions.cited
        record["quoted"] = sum(item in cited for item in quoted)
        record["cited"] = len(cited)
        record["unknown"] = sorted(quoted.keys() - known_items(stack.library.documents))
        record["without_anchors"] = list(texts.without_anchors)
    return _WrittenBook(record, [])


# The list of the files of a book, by which the next one removes obsolete files.
LIST = ".book"


def _other_files(contents: Contents, forms: Forms) -> dict[str, bytes]:
    """Return the files of a book other than the pages of the site."""
    title = book_title(contents.book)
    files = write_wiki(contents) if forms.wiki else {}
    for edition in dict.fromkeys(forms.editions):
        sources = typeset_edition(contents, title, edition)
        if sources is not None:
            files[f"{edition}.pdf"] = print_pdf(sources)
    return files


def typeset_edition(contents: Contents, title: str, edition: Edition) -> dict[str, bytes] | None:
    """Return the sources of an edition; None if the book has no content for it."""
    short = short_title(contents.book)
    match edition:
        case Edition.PLAYER:
            return write_player_text(contents, title)
        case Edition.UMPIRE:
            return write_book_text(contents, title)
        case Edition.CARD:
            return (
                write_card_text(contents, title, short) if any(layer.card for layer in contents.book.layers) else None
            )
        case Edition.CHARTS:
            return write_chart_text(contents, short) if contents.players_charts else None
        case Edition.COUNTERS:
            return write_counter_text(contents, short) if contents.book.counters else None
        case Edition.CHANGES:
            return write_leaflet_text(contents, title, short) if contents.booklet is not None else None


def _earlier_files(out: Path) -> tuple[str, ...]:
    """Return the files of an earlier book in the folder; empty if there is none."""
    try:
        names = read_text_file(out / LIST).splitlines()
    except (FileNotFoundError, NotADirectoryError, UsageError):
        return ()
    return LIST, *(name for name in names if (out / name).resolve().is_relative_to(out.resolve()))
