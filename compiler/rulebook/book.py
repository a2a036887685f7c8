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

from compiler.rulebook import contents as contents_of_book
from compiler.rulebook.added_factors import counter_cites
from compiler.rulebook.booklet import FORM_TITLES, SEQUENCE, WEIGHED
from compiler.rulebook.contents import Contents
from compiler.rulebook.drawings.counters import chart_face, counter_picture, printed_value
from compiler.rulebook.errata import gather_errata, written_date
from compiler.rulebook.index.index_rows import list_index_rows, other_words
from compiler.rulebook.index.index_script import write_index
from compiler.rulebook.index.ranking import SearchIndex
from compiler.rulebook.links import address_part, lasting_address
from compiler.rulebook.live.forms import chart_forms
from compiler.rulebook.live.module import LiveBook
from compiler.rulebook.live.scripts import LiveModule, gather_pages, script_of, write_scripts
from compiler.rulebook.naming import title_in_sentence
from compiler.rulebook.preconditions import requirement_sentences
from compiler.rulebook.questions import gather_questions
from compiler.rulebook.rule_blocks import RuleBlockBuilder
from compiler.rulebook.sentences import counter_sheet_title, heading_words
from compiler.rulebook.sequence_of_play import number_turn
from compiler.rulebook.source_order import counter_sheets, written_rank
from compiler.rulebook.steps import procedure_lines
from compiler.rulebook.table import table_lines
from compiler.rulebook.titles import authors_of, book_title, short_title
from compiler.source.numbering import register_key
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.document import BookEdition
from runtime.graph.related_procedures import rulings_on

TEMPLATES = Path(__file__).parent / "templates"


def write_site(contents: Contents, live_book: LiveBook | None) -> dict[str, bytes]:
    """Render contents as pages; with a `live_book`, examples, charts and questions are interactive."""
    book = contents.book
    live = gather_pages(contents, live_book) if live_book else None
    jinja = _environment(contents, live)
    title, short = book_title(book), short_title(book)
    files: dict[str, bytes] = {}

    def page(path: str, template: str, **more: object) -> None:
        root = "../" * path.count("/")
        text = jinja.get_template(template).render(
            c=contents, book=book, book_title=title, short_title=short, root=root, path=path, **more
        )
        files[path] = re.sub(r"\n\s*\n+", "\n", text).encode()

    for name in contents.pages:
        page(f"{name}.html", f"{name}.html.j2")
    for section in contents.outline:
        page(f"cases/{address_part(section.label)}.html", "section.html.j2", section=section)
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


def _environment(contents: Contents, live: LiveModule | None) -> Environment:
    book = contents.book
    played = {key: table_lines(book, procedure) for key, procedure in book.procedures.items()}
    jinja = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    blocks = RuleBlockBuilder(contents, BookEdition.SITE, lambda key: bool(contents.links.link_to(key)))
    jinja.tests["at_the_table"] = lambda item: bool(item[1].prose or played[item[0]])
    # Each template calls a function of Python by its own name, mostly with the book or its contents already passed.
    jinja.globals.update(
        heading_words=heading_words,
        title_in_sentence=lambda thing: title_in_sentence(book, contents.titles, thing),
        distinct_things=lambda keys: contents_of_book.distinct_things(contents, keys),
        general_rules=lambda heading: contents_of_book.general_rules(contents, heading),
        cell_words=lambda cell: contents_of_book.cell_words(contents, cell),
        UNATTACHED=contents_of_book.UNATTACHED,
        SEQUENCE=SEQUENCE,
        FORM_TITLES=FORM_TITLES,
        WEIGHED=WEIGHED,
        counter_picture=lambda name: counter_picture(chart_face(book, book.counters[name])),
        entry_block=blocks.entry,
        ruling_block=blocks.ruling,
        readable_name=words.readable_name,
        list_text=words.list_text,
        gather_questions=lambda: gather_questions(contents),
        procedures_by_kind=lambda what: procedures_by_kind(book, what),
        procedure_lines=lambda procedure: procedure_lines(book, procedure),
        table_lines=played.__getitem__,
        authors=authors_of(book),
        number_turn=lambda lines: number_turn(contents, lines),
        requirement_sentences=lambda one: requirement_sentences(book, one),
        printed_sheets=lambda: printed_sheets(book),
        counter_cites=counter_cites,
        examples_of=lambda what, name: contents.examples.get((what, name), ()),
        without_braces=lambda text: re.sub(r"\{(\w+)\}", r"\1", text),
        address_part=address_part,
        script_of=script_of,
        live_examples=live.examples if live else {},
        live_terms=live.anchors_by_term if live else {},
        live_charts={form.table for form in chart_forms(book)} if live else (),
        index_anchor=lambda word: f"word-{address_part(word)}",
        example_anchor=lambda example: contents_of_book.example_anchor(example.title, example.origin),
        gather_errata=lambda: gather_errata(contents),
        written_date=written_date,
        listed_ruling=lambda label: blocks.ruling(label, is_listed=True),
        rulings_on=lambda key: rulings_on(book, key),
        rulings=rulings_by_number(contents),
    )
    return jinja


def rulings_by_number(contents: Contents) -> list[graph.Ruling]:
    """Return the rulings in the order of their numbers; those without one come last."""

    def place(ruling: graph.Ruling) -> tuple[object, ...]:
        number = contents.numbers.get(("ruling", ruling.label), "")
        return not number, register_key(number), *written_rank(contents.book, ruling), ruling.label

    return sorted(contents.book.rulings.values(), key=place)


def procedures_by_kind(book: graph.Graph, kind: str) -> list[tuple[str, graph.Procedure]]:
    """Return the procedures of a kind with their keys, in the order of their sources."""
    procedures = [(key, procedure) for key, procedure in book.procedures.items() if procedure.what == kind]
    return sorted(procedures, key=lambda item: (*written_rank(book, item[1]), item[0]))


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
