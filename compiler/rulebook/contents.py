"""Compute the contents of all pages once.

The input is a graph and, for a booklet of changes, the graph it is compared with; the output is `Contents`, which
builders and templates read. Templates define the arrangement; all texts are computed here.
"""

from collections.abc import Container, Mapping
from dataclasses import replace
from functools import cached_property
from itertools import chain
from types import MappingProxyType

from compiler.rulebook import sentences
from compiler.rulebook.advisory_questions import advisory_questions
from compiler.rulebook.booklet import Baseline, Booklet
from compiler.rulebook.changes import compare_books
from compiler.rulebook.charts import PrintedChart, cell_titles, chart_rank, printed_chart
from compiler.rulebook.evidence import ExampleOutcome, labels_in
from compiler.rulebook.examples import PrintableExample, show_example
from compiler.rulebook.headings import BookEntry, Heading, RuleEntry, RulingEntry, headings_of
from compiler.rulebook.index.glossary import GlossaryGroup, group_glosses
from compiler.rulebook.index.keywords import Keyword, Subjects, declared_subjects, gather_keywords, search_phrases
from compiler.rulebook.index.mentions import BookKey, Mentions, gather_mentions
from compiler.rulebook.links import Links, PrintedTexts, address_part, assign_links
from compiler.rulebook.merged_rulings import find_merged_rules
from compiler.rulebook.naming import titles_of_things
from compiler.rulebook.numbering import missing_numbers, number_things
from compiler.rulebook.openings import CaseOpening, case_openings
from compiler.rulebook.outline import draw_outline, group_sections
from compiler.rulebook.printed_places import (
    PrintedPlaces,
    find_printed_places,
    labels_behind_ruling,
    page_term,
)
from compiler.rulebook.printed_rules import ExamplePlace, PrintedRuleMapping
from compiler.rulebook.procedures import procedures_by_section
from compiler.rulebook.register import number_register
from compiler.rulebook.source_items import Source, gather_sources
from compiler.rulebook.table import is_printed
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.adopted_rules import is_adopted
from runtime.graph.document import DocumentRole

# The pages that are no section, in their order.
PAGE_TITLES = {
    "index": "Title page",
    "play": "Sequence of play",
    "charts": "Charts",
    "counters": "Unit function charts",
    "rulings": "All rulings",
    "errata": "Errata by date",
    "disputes": "Where the sources disagree",
    "questions": "Questions",
    "glossary": "Glossary",
    "keywords": "Index",
    "sources": "Index of sources",
    "examples": "Further examples",
    "changes": "What changes",
}
UNATTACHED = ("", "")  # the place of examples that belong to no rule, ruling or question
ELSEWHERE = "examples.html"  # their page
NO_TEXTS: Mapping[str, tuple[str, ...]] = MappingProxyType({})


class Contents:
    """The contents of the whole book, before they are arranged on pages. Each part is computed when it is first read.

    `quoted` are the sources' own words by item, in paragraphs, where the user has them; `against` is the book that this
    one is compared with.
    """

    def __init__(
        self,
        book: graph.Graph,
        played: tuple[ExampleOutcome, ...],
        against: Baseline | None,
        quoted: Mapping[str, tuple[str, ...]] = NO_TEXTS,
    ) -> None:
        """Store a graph, whose examples are replaced by those that were played."""
        self.book = replace(book, examples=tuple(outcome.example for outcome in played))
        self.played = played
        self.against = against
        self.quoted = quoted

    @cached_property
    def printed_places(self) -> PrintedPlaces:
        """Return the place of each rule, ruling, example and definition."""
        return find_printed_places(self.book)

    @cached_property
    def outline(self) -> tuple[Heading, ...]:
        """Return the sections with what is under them."""
        return draw_outline(self.book, self.printed_places)

    @cached_property
    def section_groups(self) -> tuple[tuple[str, tuple[Heading, ...]], ...]:
        """Return the sections under the titles of the parts of the book."""
        return group_sections(self.book, self.outline)

    @cached_property
    def mentions(self) -> Mentions:
        """Return what each thing mentions, and what mentions it."""
        return gather_mentions(self.book)

    @cached_property
    def sources(self) -> tuple[Source, ...]:
        """Return the documents with their cited items."""
        return gather_sources(self.book, self.mentions.cited)

    @cached_property
    def links(self) -> Links:
        """Return the address of each printed thing."""
        items = [item.name for source in self.sources for item in source.items]
        procedures = [key for key in sorted(self.book.procedures) if is_printed(self.book, key)]
        printed = PrintedTexts(_cells_by_chart(self.charts), items, procedures)
        return assign_links(self.book, self.printed_places, self.outline, printed, self.pages)

    @cached_property
    def pages(self) -> tuple[str, ...]:
        """Return the names of the pages that are no section and of which the book has anything, in their order."""
        book = self.book
        contents_by_page: dict[str, object] = {
            "charts": book.tables,
            "counters": book.counters,
            "rulings": book.rulings,
            "errata": book.rulings,
            "disputes": book.disputes,
            "examples": self.printed_places.examples.get(UNATTACHED),
            "changes": self.against,
        }
        return tuple(name for name in PAGE_TITLES if contents_by_page.get(name, True))

    @cached_property
    def charts(self) -> tuple[PrintedChart, ...]:
        """Return the charts in printed order."""
        charts = (printed_chart(self.book, table) for table in self.book.tables.values())
        return tuple(sorted(charts, key=chart_rank(self.book)))

    @cached_property
    def questions(self) -> tuple[str, ...]:
        """Return the names of the questions that have a page, without stages of others."""
        return tuple(name for name in sorted(self.book.terms) if page_term(self.book, name) == name)

    @cached_property
    def glossary_groups(self) -> tuple[GlossaryGroup, ...]:
        """Return the glossary."""
        return group_glosses(self.book, self.mentions)

    @cached_property
    def rules(self) -> PrintedRuleMapping:
        """Return the rules by label, as they are printed."""
        examples = {
            label: place
            for label, place in _elsewhere(self.played, self.printed_places, self.links).items()
            if ("rule", label) not in self.examples
        }
        marks = {change.thing: change.how for change in self.booklet.changes} if self.booklet else {}
        return PrintedRuleMapping(self.book, self.titles, self.mentions, marks, examples)

    @cached_property
    def examples(self) -> dict[BookKey, tuple[PrintableExample, ...]]:
        """Return the printed examples of each rule, ruling and question."""
        return _printable_examples(self.book, self.played, self.printed_places)

    @cached_property
    def numbers(self) -> dict[BookKey, str]:
        """Return the numbers of headings, rules and rulings."""
        return number_things(self.outline, number_register(self.book))

    @cached_property
    def titles(self) -> dict[BookKey, str]:
        """Return the titles of all things."""
        return _titles(self.book, self.outline, self.charts)

    @property
    def play_number(self) -> str:
        """Return the number of the sequence of play among the sections, "" if it has none."""
        is_first = self.outline and self.book.procedures and all(section.number != "1" for section in self.outline)
        return "1" if is_first else ""

    @cached_property
    def booklet(self) -> Booklet | None:
        """Return the changes from the book that this one is compared with."""
        return compare_books(self.book, self.against) if self.against is not None else None

    @cached_property
    def keywords(self) -> tuple[Keyword, ...]:
        """Return the index of subjects."""
        return gather_keywords(self.book, self.outline, self.titles, self.sources, self.index_entries)

    @cached_property
    def procedures(self) -> dict[str, tuple[str, ...]]:
        """Return the procedures of each section."""
        return procedures_by_section(self.book, self.outline, self.mentions)

    @cached_property
    def source_headings(self) -> dict[str, str]:
        """Return the section of the sources that contains each item."""
        parts = [part for source in self.sources for part in source.parts]
        return {item.name: part.heading for part in parts for item in part.items}

    @cached_property
    def advising(self) -> frozenset[str]:
        """Return the questions for the preferences of computer players only."""
        return advisory_questions(self.book)

    @cached_property
    def openings(self) -> dict[str, CaseOpening]:
        """Return how cases open, by label."""
        return case_openings(self.book)

    @cached_property
    def missing_numbers(self) -> dict[str, str]:
        """Return explanations of missing numbers, by the heading that would contain them."""
        return missing_numbers(self.book, self.outline, self.numbers)

    @cached_property
    def index_entries(self) -> Subjects:
        """Return the entries of the index that layers declare."""
        return declared_subjects(self.book, self.outline)

    @cached_property
    def search_phrases(self) -> dict[BookKey, tuple[str, ...]]:
        """Return the search phrases for each thing."""
        return search_phrases(self.book, self.outline)

    @cached_property
    def merged_rules(self) -> dict[str, str]:
        """Return for a ruling the rule that is printed with it as one paragraph."""
        return find_merged_rules(self.book, self.links.places)

    def stage_suffix(self, term: str) -> str:
        """Return the suffix that distinguishes a stage of a chain of questions; "" if `term` is no stage."""
        question, _, stage = term.partition(".")
        flag = term in self.book.terms and self.book.terms[term].form == "flag"
        is_staged = stage and not flag and question in self.book.terms
        return f", at the stage “{words.readable_name(stage)}”" if is_staged else ""

    def thing_of_reason(self, label: str) -> BookKey:
        """Return what the label of a reason denotes: a ruling, a rule, a cell, or a counter as `counter NAME`."""
        if label in self.book.rulings:
            return ("ruling", label)
        counter = label.removeprefix("counter ")
        known = (("rule", label), ("cell", label), ("counter", counter) if counter != label else ("rule", label))
        return next((key for key in known if key in self.titles), ("rule", label))

    def is_printed(self, key: BookKey, kinds: Container[str]) -> bool:
        """Return whether a book of these kinds of things has a place for one; definitions are on pages of questions."""
        return key[0] in kinds and bool(self.links.link_to(key)) and (key[0] != "rule" or key in self.numbers)

    def is_advisory(self, label: str) -> bool:
        """Return whether a rule only defines advice for computer players; one without logic is prose for players."""
        terms = self.book.rules[label].terms
        return bool(terms) and {page_term(self.book, term) for term in terms} <= self.advising

    def repeats(self, label: str) -> bool:
        """Return whether the sentence of a rule is the answer of a ruling that is printed elsewhere."""
        ruling = self.rules[label].ruling if self.rules[label].asks else ""
        return ("ruling", ruling) in self.links.places and self.merged_rules.get(ruling) != label

    @property
    def players_charts(self) -> tuple[PrintedChart, ...]:
        """Return the charts that players read: those of every edition."""
        return tuple(chart for chart in self.charts if not chart.edition)

    @property
    def counts_text(self) -> str:
        """Return the numbers of numbered rules and of other things in the book."""
        counts = {
            "rule": sum(key[0] == "rule" for key in self.numbers),
            "ruling": len(self.book.rulings),
            "chart": len(self.charts),
            "example": len(self.book.examples),
        }
        return ", ".join(words.counted_noun(count, noun) for noun, count in counts.items() if count)


def _cells_by_chart(charts: tuple[PrintedChart, ...]) -> dict[str, tuple[str, ...]]:
    """Return the names of the cells of each chart that a row covers."""
    return {
        chart.name: tuple(cell.name for row in chart.rows for cell in row.cells if cell.role is not DocumentRole.EMPTY)
        for chart in charts
    }


def _printable_examples(
    book: graph.Graph, played: tuple[ExampleOutcome, ...], placed: PrintedPlaces
) -> dict[BookKey, tuple[PrintableExample, ...]]:
    """Return the printed examples of each rule, ruling and question."""
    outcomes = {(outcome.example.origin, outcome.example.title): outcome for outcome in played}
    printable = {}
    for home, examples in placed.examples.items():
        printable[home] = tuple(show_example(book, outcomes[example.origin, example.title]) for example in examples)
    return printable


def _elsewhere(played: tuple[ExampleOutcome, ...], placed: PrintedPlaces, links: Links) -> dict[str, ExamplePlace]:
    """Return, for each rule, the first example that refers to it or in which it is live."""
    homes: dict[tuple[graph.Origin, str], BookKey] = {}
    for home, examples in placed.examples.items():
        homes.update(((example.origin, example.title), home) for example in examples)
    references = [(outcome.example, labels_in(outcome.example)) for outcome in played]
    references += [(outcome.example, outcome.shows) for outcome in played]
    places: dict[str, ExamplePlace] = {}
    for example, labels in references:
        home = homes[example.origin, example.title]
        page = links.places.get(home, (ELSEWHERE, ""))[0]
        place = ExamplePlace(example.title, f"{page}#{example_anchor(example.title, example.origin)}", home)
        for label in sorted(labels):
            places.setdefault(label, place)
    return places


def example_anchor(title: str, origin: graph.Origin) -> str:
    """Return the anchor of an example: its layer, its file in the folder of the layer, and its title."""
    file = origin.file.rpartition(f"{origin.layer}/")[2].partition(".")[0]
    return address_part(f"example-{origin.layer}-{file}-{words.sentence(title).removesuffix('.').lower()}")


def general_rules(contents: Contents, heading: Heading) -> tuple[tuple[str, str], ...]:
    """Return the yes-or-no questions of a case with their defaults, which hold unless one of its rules is live."""
    book = contents.book
    labels = {entry.label for entry in heading.entries if isinstance(entry, RuleEntry)}
    names = dict.fromkeys(term for label in sorted(labels) for term in book.rules[label].terms)
    defaults = []
    for name in names:
        term = book.terms.get(name)
        if term is None or term.form not in ("verdict", "condition"):
            continue
        own_labels = [label for label in term.rules if not is_adopted(book.rules[label], term)]
        if 2 * len(labels.intersection(own_labels)) >= len(own_labels):
            defaults.append((name, sentences.default_sentence(book, term)))
            defaults += [(name, sentence) for sentence in sentences.beside_sentences(book, term)]
    return tuple(defaults)


def rules_behind_ruling(contents: Contents, ruling: graph.Ruling) -> tuple[BookKey, ...]:
    """Return the rules that a ruling clarifies, or that its own rules were written against."""
    labels = dict.fromkeys(labels_behind_ruling(contents.book, ruling))
    return tuple(("rule", label) for label in labels if label in contents.book.rules and label not in ruling.rules)


def _titles(book: graph.Graph, outline: tuple[Heading, ...], charts: tuple[PrintedChart, ...]) -> dict[BookKey, str]:
    """Return the titles of all things for links, indexes and headings."""
    titles = titles_of_things(book)
    titles |= {("chart", chart.name): chart.title for chart in charts}
    titles |= {("cell", name): title for chart in charts for name, title in cell_titles(chart).items()}
    titles |= {("page", name): title for name, title in PAGE_TITLES.items()}
    headings = [heading for section in outline for heading in headings_of(section)]
    titles |= {("case", heading.label): heading.title or _part_title(heading) for heading in headings}
    return titles


def distinct_things(contents: Contents, keys: tuple[BookKey, ...]) -> tuple[BookKey, ...]:
    """Return one of several things with the same title on one page, such as a question and its definition."""
    called: dict[tuple[str, ...], BookKey] = {}
    for key in keys:
        title = contents.titles.get(key, key[1])
        called.setdefault((contents.numbers.get(key, ""), title, contents.links.places.get(key, ("", ""))[0]), key)
    return tuple(called.values())


def cell_words(contents: Contents, cell: str) -> str:
    """Return the title of a cell: the title of its chart, and its keys as the chart prints them."""
    name, _, keys = cell.partition("[")
    title = contents.titles.get(("chart", name), words.readable_name(name))
    if printed := contents.titles.get(("cell", cell)):
        return f"{title}, {printed.removeprefix(f'{title}: ')}"
    return f"{title}, {words.readable_name(keys.removesuffix(']'))}" if keys else title


def _part_title(heading: Heading) -> str:
    """Return the title of a part without an author's heading: those of its first entries."""
    names = [sentences.heading_words(entry.thing[1]) for entry in heading.entries[:2]]
    return words.list_text([*names[:1], *(name[:1].lower() + name[1:] for name in names[1:])]) or "More rules"


def ruling_entries(entries: tuple[BookEntry, ...]) -> tuple[RulingEntry, ...]:
    """Return the rulings among entries."""
    return tuple(entry for entry in entries if isinstance(entry, RulingEntry))


def rules_under(entries: tuple[BookEntry, ...]) -> tuple[RuleEntry, ...]:
    """Return the rules among entries, including those of rulings, in order."""
    return tuple(chain.from_iterable(entry.rules for entry in entries))
