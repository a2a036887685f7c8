"""Generate the book of a stack as a site of static files.

The input is a graph, its examples as the engine ran them, and another stack if the book has to list the changes since
that one; the output is the bytes of each file by path: pages, a style sheet, scripts, a search index, and a permanent
address for each label. Nothing is fetched from a network, so that the site works from a folder; equal graphs yield
equal bytes.

The graph is the only source: a change of a rule is a change of the book.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from compiler.rulebook.book_blocks import BookBlockBuilder
from compiler.rulebook.contents import Contents
from compiler.rulebook.index.index_rows import list_index_rows, other_words
from compiler.rulebook.index.index_script import write_index
from compiler.rulebook.index.ranking import SearchIndex
from compiler.rulebook.links import address_part, lasting_address
from compiler.rulebook.live.forms import chart_forms
from compiler.rulebook.live.module import LiveBook
from compiler.rulebook.live.scripts import LiveModule, gather_pages, script_of, write_scripts
from compiler.rulebook.titles import authors_of, book_title
from runtime.graph.document import BookEdition, DocumentBlock, line_runs

TEMPLATES = Path(__file__).parent / "templates"


def write_site(contents: Contents, live_book: LiveBook | None) -> dict[str, bytes]:
    """Render contents as pages; with a `live_book`, examples, charts and questions are interactive."""
    book = contents.book
    live = gather_pages(contents, live_book) if live_book else None
    blocks = BookBlockBuilder(contents, BookEdition.SITE, lambda key: bool(contents.links.link_to(key)))
    jinja = _environment(blocks, live)
    book_name, cover = book_title(book), blocks.cover()
    files: dict[str, bytes] = {}

    def page(path: str, *page_blocks: DocumentBlock) -> None:
        heading = f"{page_blocks[0].number} {page_blocks[0].title}".strip()
        title = " – ".join(dict.fromkeys((heading, book_name)))
        root = "../" * path.count("/")
        text = jinja.get_template("page.html.j2").render(
            c=contents, book=book, title=title, cover=cover, root=root, path=path, blocks=page_blocks
        )
        files[path] = re.sub(r"\n\s*\n+", "\n", text).encode()

    page("index.html", cover)
    page("play.html", blocks.play.play(), blocks.play.procedures())
    for block in blocks.pages():
        page(f"{block.role}.html", block)
    for block in (*blocks.sections(), *blocks.decisions()):
        page(contents.links.page(block.key), block)
    for (kind, label), (page_name, anchor) in contents.links.places.items():
        # Such an address does not change when a rule is printed on another page.
        if kind in LASTING and lasting_address(label) not in files:
            text = jinja.get_template("go.html.j2").render(
                address=f"../{page_name}#{anchor}", label=label, book_title=book_name
            )
            files[lasting_address(label)] = text.encode()
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
        authors=authors_of(book),
        line_runs=line_runs,
        anchor_of=lambda key: contents.links.places.get(key, ("", address_part(key[1])))[1],
        script_of=script_of,
        live_examples=live.examples if live else {},
        live_terms=live.anchors_by_term if live else {},
        live_charts={form.table for form in chart_forms(book)} if live else (),
    )
    return jinja
