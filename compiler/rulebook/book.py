"""Generate the book of a stack as a site of static files.

The input is a graph, its examples as the engine ran them, and another stack if the book has to list the changes since
that one; the output is the bytes of each file by path: pages, a style sheet, scripts, a search index, and a permanent
address for each label. Nothing is fetched from a network, so that the site works from a folder; equal graphs yield
equal bytes.

The graph is the only source: a change of a rule is a change of the book.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from compiler.rulebook.added_factors import counter_cites
from compiler.rulebook.book_blocks import BookBlockBuilder
from compiler.rulebook.booklet import FORM_TITLES, SEQUENCE, WEIGHED
from compiler.rulebook.contents import Contents
from compiler.rulebook.drawings.counters import chart_face, counter_picture, printed_value
from compiler.rulebook.index.index_rows import list_index_rows, other_words
from compiler.rulebook.index.index_script import write_index
from compiler.rulebook.index.ranking import SearchIndex
from compiler.rulebook.links import address_part, lasting_address
from compiler.rulebook.live.forms import chart_forms
from compiler.rulebook.live.module import LiveBook
from compiler.rulebook.live.scripts import LiveModule, gather_pages, script_of, write_scripts
from compiler.rulebook.naming import title_in_sentence
from compiler.rulebook.sentences import counter_sheet_title, heading_words
from compiler.rulebook.source_order import counter_sheets
from compiler.rulebook.titles import authors_of, book_title, short_title
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.document import BookEdition, line_runs

TEMPLATES = Path(__file__).parent / "templates"


def write_site(contents: Contents, live_book: LiveBook | None) -> dict[str, bytes]:
    """Render contents as pages; with a `live_book`, examples, charts and questions are interactive."""
    book = contents.book
    live = gather_pages(contents, live_book) if live_book else None
    blocks = BookBlockBuilder(contents, BookEdition.SITE, lambda key: bool(contents.links.link_to(key)))
    jinja = _environment(blocks, live)
    title, short = book_title(book), short_title(book)
    files: dict[str, bytes] = {}

    def page(path: str, template: str, **more: object) -> None:
        root = "../" * path.count("/")
        text = jinja.get_template(template).render(
            c=contents, book=book, book_title=title, short_title=short, root=root, path=path, **more
        )
        files[path] = re.sub(r"\n\s*\n+", "\n", text).encode()

    for name in contents.pages:
        if (TEMPLATES / f"{name}.html.j2").exists():
            page(f"{name}.html", f"{name}.html.j2")
    page("play.html", "page.html.j2", blocks=(blocks.play.play(), blocks.play.procedures()))
    for block in blocks.pages():
        page(f"{block.role}.html", "page.html.j2", blocks=(block,))
    for block in blocks.sections():
        page(contents.links.page(block.key), "page.html.j2", blocks=(block,))
    for decision in contents.decisions:
        page(f"terms/{address_part(decision.name)}.html", "term.html.j2", decision=decision)
    for (kind, label), (page_name, anchor) in contents.links.places.items():
        # Such an address does not change when a rule is printed on another page.
        if kind in LASTING and lasting_address(label) not in files:
            page(lasting_address(label), "go.html.j2", address=f"../{page_name}#{anchor}", label=label)
    if live:
        files |= write_scripts(live, files)
        files |= {f"live/{asset}": (TEMPLATES / asset).read_bytes() for asset in LIVE_ASSETS}
    for asset in ("book.css", "book.js", "stems.js", "search.js", "theme.js", *(["ask.js"] if live else [])):
        files[asset] = (TEMPLATES / asset).read_bytes()
    index = SearchIndex(tuple(list_index_rows(contents)), other_words(contents))
    files["search-index.js"] = write_index(index)
    return dict(sorted(files.items()))


LIVE_ASSETS = ("module-memory.js", "panel.js", "chart-forms.js")

# Things with a permanent address.
LASTING = ("rule", "ruling", "case", "dispute", "term", "chart")


def count_pages(files: Mapping[str, bytes]) -> int:
    """Count the pages of a site, without addresses that only redirect."""
    return sum(path.endswith(".html") and not path.startswith("go/") for path in files)


def count_anchors(files: Mapping[str, bytes]) -> int:
    """Count the link targets in a site."""
    return sum(len(re.findall(rb'\sid="', text)) for path, text in files.items() if path.endswith(".html"))


def _environment(blocks: BookBlockBuilder, live: LiveModule | None) -> Environment:
    contents, book = blocks.contents, blocks.contents.book
    jinja = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    # Each template calls a function of Python by its own name, mostly with the book or its contents already passed.
    jinja.globals.update(
        heading_words=heading_words,
        title_in_sentence=lambda thing: title_in_sentence(book, contents.titles, thing),
        SEQUENCE=SEQUENCE,
        FORM_TITLES=FORM_TITLES,
        WEIGHED=WEIGHED,
        counter_picture=lambda name: counter_picture(chart_face(book, book.counters[name])),
        readable_name=words.readable_name,
        authors=authors_of(book),
        printed_sheets=lambda: printed_sheets(book),
        counter_cites=counter_cites,
        examples_of=lambda what, name: blocks.rules.examples((what, name)),
        line_runs=line_runs,
        anchor_of=lambda key: contents.links.places.get(key, ("", address_part(key[1])))[1],
        address_part=address_part,
        script_of=script_of,
        live_examples=live.examples if live else {},
        live_terms=live.anchors_by_term if live else {},
        live_charts={form.table for form in chart_forms(book)} if live else (),
    )
    return jinja


def printed_sheets(book: graph.Graph) -> list[dict[str, Any]]:
    """Group the counters into sheets: one for each side and kind, the longest first, with the columns of its kind."""
    sheets = []
    for (owner, kind), counters in counter_sheets(book):
        columns = list(dict.fromkeys(name for counter in counters for name, _ in counter.printed))
        back_columns = ["back"] if any(counter.back for counter in counters) else []
        title = counter_sheet_title(book, owner, kind)
        rows = [
            (
                counter,
                counter_picture(chart_face(book, counter)),
                _counter_cells(book, counter, columns, has_back=bool(back_columns)),
            )
            for counter in counters
        ]
        traits = {
            counter.id: [words.flag(kind, trait, book.vocabulary) for trait in counter.traits] for counter in counters
        }
        sheets.append(
            {
                "title": f"{title[:1].upper()}{title[1:]}",
                "anchor": address_part(f"sheet-{owner}-{kind}"),
                "columns": [*(words.factor_name(name, book.vocabulary) for name in columns), *back_columns],
                "rows": rows,
                "traits": traits,
            }
        )
    return sheets


def _counter_cells(book: graph.Graph, counter: graph.Counter, columns: Iterable[str], *, has_back: bool) -> list[str]:
    """Return the cells of a counter; where counters of its sheet have a back, that is the last cell."""
    back = [words.counter(counter.back, book.counters) if counter.back else "-"] if has_back else []
    return [*(printed_value(book, dict(counter.printed).get(name)) for name in columns), *back]
