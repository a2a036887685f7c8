"""The document tree: what people are shown, as blocks of lines, before a printer lays it out.

In: texts, and what they refer to. Out: nodes of a tree. A builder decides which lines a block has, and in which order;
printers (HTML, Markdown, Typst) decide on layout alone, by the form of the role of a line. A role is one record: its
form, the words that open its lines, and the editions that have it.
"""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from itertools import groupby

from runtime.graph.frozen_dataclass import frozen_dataclass


class DocumentForm(StrEnum):
    """How a line is laid out."""

    SENTENCE = "sentence"  # A paragraph, or the head of a list with its items.
    FOLDED = "folded"  # A paragraph that a reader opens; small on paper.
    NOTE = "note"  # A remark among those below the text.
    SOURCE = "source"  # References to paragraphs of the sources.
    CODE = "code"  # A name in the language.
    ENTRY = "entry"  # A line of a listing, under what it is about.
    COMPARED = "compared"  # A former or a present text, which stands beside the other.
    ROW = "row"  # A row of a table: an item for each cell; in a reply, a span.
    HEAD = "head"  # A cell that names a column or a row.
    CELL = "cell"  # Any other cell.
    PICTURE = "picture"  # A cell whose text is a drawing, as SVG.
    DRAWN = "drawn"  # Lines whose columns matter: an excerpt of a file, a program, a map.
    QUOTE = "quote"  # The words of a source.
    BOXED = "boxed"  # A paragraph or a list that opens a section.
    STEP = "step"  # A step of a list in order, behind its mark.
    INDEXED = "indexed"  # An entry of an index: what it is of, and references.
    TOLD = "told"  # What is done in an example.
    ANSWER = "answer"  # What an example shows.
    REASON = "reason"  # Why an example shows it.

    @property
    def run(self) -> "DocumentForm":
        """Return the form whose lines stand in one paragraph or list with those of this one."""
        return _RUNS.get(self, self)


_RUNS = {
    DocumentForm.SOURCE: DocumentForm.NOTE,
    DocumentForm.CODE: DocumentForm.NOTE,
    DocumentForm.ANSWER: DocumentForm.TOLD,
}


class BlockForm(StrEnum):
    """How a block is laid out."""

    SECTION = "section"  # A heading, and what is under it.
    GROUP = "group"  # What is in it, without a heading.
    RULE = "rule"  # A numbered paragraph; one within another is an exception.
    ASIDE = "aside"  # A box beside what it is about.
    FIGURE = "figure"  # A picture, and what it shows; `data` is a `Drawing`.
    TABLE = "table"  # Rows, and lines that explain them.


class BookEdition(StrEnum):
    """A rendering of the book that may omit lines."""

    SITE = "site"
    WIKI = "wiki"
    UMPIRE = "umpire"
    PLAYER = "player"
    TERMINAL = "terminal"


_ALL = frozenset(BookEdition)
_WITH_DETAILS = _ALL - {BookEdition.PLAYER}
_ON_SCREENS = frozenset({BookEdition.SITE, BookEdition.WIKI})


class DocumentRole(StrEnum):
    """What a line says of the subject of its block: its form, the words before its text, the editions that have it."""

    form: DocumentForm
    opening: str
    editions: frozenset[BookEdition]

    def __new__(
        cls, kind: str, form: DocumentForm, opening: str = "", editions: frozenset[BookEdition] = _ALL
    ) -> "DocumentRole":
        """Return a role with what printers and builders know of it."""
        role = str.__new__(cls, kind)
        role._value_ = kind
        role.form, role.opening, role.editions = form, opening, editions
        return role

    PROSE = "prose", DocumentForm.SENTENCE
    STATED = "logic", DocumentForm.SENTENCE
    RESTATED = "exact", DocumentForm.FOLDED, "In exact words", _WITH_DETAILS
    ASKS = "asks", DocumentForm.SENTENCE, "Q."
    ANSWERS = "answers", DocumentForm.SENTENCE, "A."
    DISPUTED = "disputed", DocumentForm.NOTE, "The sources disagree:"
    SOURCES = "cites", DocumentForm.SOURCE, "", _WITH_DETAILS
    LABEL = "label", DocumentForm.CODE, "", _ON_SCREENS
    QUOTED = "quoted", DocumentForm.QUOTE, "In the words of the sources", _WITH_DETAILS
    ENTRY = "entry", DocumentForm.ENTRY
    HEADINGS = "headings", DocumentForm.ROW
    ROW = "row", DocumentForm.ROW
    COLUMN = "column", DocumentForm.HEAD
    ASKED = "asked", DocumentForm.HEAD
    ROW_HEAD = "row-head", DocumentForm.HEAD
    GIVEN = "given", DocumentForm.CELL
    VALUE = "value", DocumentForm.CELL
    WORD = "word", DocumentForm.CELL
    EMPTY = "empty", DocumentForm.CELL
    FOUND = "found", DocumentForm.CELL
    FACE = "face", DocumentForm.PICTURE
    CODES = "codes", DocumentForm.NOTE
    DRAWN = "drawn", DocumentForm.DRAWN
    ITEM = "counted", DocumentForm.ENTRY
    GENERAL_RULE = "general", DocumentForm.BOXED, "General rule"
    PROCEDURE = "procedure", DocumentForm.BOXED, "Procedure"
    DONE_HERE = "doing", DocumentForm.BOXED, "What is done", _ON_SCREENS
    DEFAULT = "default", DocumentForm.FOLDED, "What holds unless a rule says otherwise", _WITH_DETAILS
    REMARK = "remark", DocumentForm.NOTE
    DETAIL = "detail", DocumentForm.NOTE, "", _WITH_DETAILS
    SCREEN_REMARK = "screen-remark", DocumentForm.NOTE, "", _ON_SCREENS
    TOLD = "told", DocumentForm.TOLD
    SHOWN = "shown", DocumentForm.ANSWER
    REASON = "why", DocumentForm.REASON
    RESTS_ON = "steps-below", DocumentForm.FOLDED, "It rests on other answers", _ON_SCREENS
    CELL_SOURCES = "notes", DocumentForm.ENTRY, "", _WITH_DETAILS
    STEP = "steps", DocumentForm.STEP
    AROUND = "around", DocumentForm.STEP
    PHASE = "phase", DocumentForm.STEP
    BEFORE = "before", DocumentForm.COMPARED, "Before:"
    NOW = "now", DocumentForm.COMPARED, "Now:"
    WITHDRAWN = "withdrawn", DocumentForm.SENTENCE, "Withdrawn:"
    NOT_DONE = "not-done", DocumentForm.SENTENCE, "No longer done:"
    GENERALLY = "generally", DocumentForm.SENTENCE
    BRANCH = "tree", DocumentForm.ENTRY
    UNLESS = "unless", DocumentForm.SENTENCE, "unless"
    OUTLINED = "outline", DocumentForm.ENTRY
    PLAIN = "plain", DocumentForm.ENTRY
    LISTED = "listed", DocumentForm.ENTRY
    INDEXED = "indexed", DocumentForm.INDEXED
    ITEM_WORDS = "item-words", DocumentForm.SENTENCE, "", _ON_SCREENS
    SPOKEN_OF = "readers", DocumentForm.FOLDED, "All places", _ON_SCREENS
    # Of answers, whose heading is the answer itself.
    DECIDED_BY = "decided-by", DocumentForm.SENTENCE
    FIGURES = "figures", DocumentForm.SENTENCE
    CLARIFIED = "clarified-by", DocumentForm.SENTENCE, "Ruling:"
    RULINGS = "rulings", DocumentForm.FOLDED, "Related rulings"
    FURTHER = "further", DocumentForm.SENTENCE, "Besides:"
    INAPPLICABLE = "inapplicable", DocumentForm.FOLDED, "Rules that do not apply here"
    CALCULATION = "calculation", DocumentForm.FOLDED, "Calculation"


class BlockRole(StrEnum):
    """The subject of a block: how it is laid out, and the editions that have it."""

    form: BlockForm
    editions: frozenset[BookEdition]

    def __new__(cls, kind: str, form: BlockForm, editions: frozenset[BookEdition] = _ALL) -> "BlockRole":
        """Return a role with what printers and builders know of it."""
        role = str.__new__(cls, kind)
        role._value_ = kind
        role.form, role.editions = form, editions
        return role

    RULE = "rule", BlockForm.RULE
    EXCEPTION = "exception", BlockForm.RULE
    RULING = "ruling", BlockForm.ASIDE
    LOOSE_RULING = "ruling-alone", BlockForm.GROUP
    EXAMPLE = "example", BlockForm.FIGURE, _WITH_DETAILS - {BookEdition.TERMINAL}
    REPLY = "reply", BlockForm.SECTION
    MAP = "map", BlockForm.FIGURE
    CASES = "cases", BlockForm.TABLE
    CASE = "case", BlockForm.SECTION
    REMARK = "remark", BlockForm.GROUP
    CHART = "chart", BlockForm.TABLE
    CHARTS = "charts", BlockForm.SECTION
    PANEL = "panel", BlockForm.SECTION
    COUNTERS = "counters", BlockForm.SECTION, _WITH_DETAILS
    COUNTER_SHEET = "units", BlockForm.TABLE
    COVER = "cover", BlockForm.SECTION
    DECISION = "decision", BlockForm.SECTION, _ON_SCREENS
    STAGE = "stage", BlockForm.SECTION
    CHANGES = "changes", BlockForm.SECTION, _ON_SCREENS
    CHANGE = "one-change", BlockForm.SECTION
    DIFFERENCE = "difference", BlockForm.FIGURE
    PLAY = "play", BlockForm.SECTION
    PROCEDURES = "procedures", BlockForm.SECTION
    PROCEDURE = "procedure", BlockForm.SECTION
    REQUIREMENTS = "requirements", BlockForm.SECTION, _ON_SCREENS
    RULINGS = "rulings", BlockForm.SECTION, _ON_SCREENS
    LISTED_RULING = "listed-ruling", BlockForm.SECTION
    ERRATA = "errata", BlockForm.SECTION, _ON_SCREENS
    ERRATUM = "erratum", BlockForm.SECTION
    DISPUTES = "disputes", BlockForm.SECTION
    DISPUTE = "dispute", BlockForm.SECTION
    READING = "reading", BlockForm.SECTION
    QUESTIONS = "questions", BlockForm.SECTION, _ON_SCREENS
    GLOSSARY = "glossary", BlockForm.SECTION, _ON_SCREENS
    INDEX = "keywords", BlockForm.SECTION, _ALL - {BookEdition.TERMINAL}
    SOURCES = "sources", BlockForm.SECTION, _WITH_DETAILS - {BookEdition.TERMINAL}
    EXAMPLES = "examples", BlockForm.SECTION, _ON_SCREENS
    LISTING = "listing", BlockForm.SECTION
    ANSWER = "answer", BlockForm.GROUP


@frozen_dataclass
class DocumentSpan:
    """A part of a line. `key` is the kind and the name of the thing that it refers to, `number` that thing's number.

    `address` is its address within the site, where it differs from that of `key`. `tone` is what a terminal colors it
    by: `error`, `warning`, `gutter`, `help`, `other`. One that `is_raised` is the letter of a note.
    """

    text: str
    key: tuple[str, str] | None = None
    number: str = ""
    address: str = ""
    is_emphasized: bool = False
    tone: str = ""
    is_strong: bool = False
    is_raised: bool = False


@frozen_dataclass
class DocumentLine:
    """A line, with the lines below it. `mark` is that of a step; others refer to a line by its `key`."""

    role: DocumentRole
    spans: tuple[DocumentSpan, ...]
    items: "tuple[DocumentLine, ...]" = ()
    mark: str = ""
    key: tuple[str, str] | None = None

    @property
    def form(self) -> DocumentForm:
        """Return how the line is laid out."""
        return self.role.form

    @property
    def opening(self) -> str:
        """Return the words before the text of the line."""
        return self.role.opening


@frozen_dataclass
class DocumentTag:
    """A word beside a heading, and its class: `change`, the kind of a ruling, its impact."""

    text: str
    kind: str


@frozen_dataclass
class DocumentBlock:
    """A thing with its heading, its lines, and the blocks under it.

    `text_block` stands in place of its sentence: the ruling that a rule is printed as one with. `data` is a picture,
    which printers lay out by themselves; of a map, a function that draws it for a number of columns. `heading` is a
    reference in place of number and title.
    """

    role: BlockRole
    key: tuple[str, str] = ("", "")
    number: str = ""
    title: str = ""
    tags: tuple[DocumentTag, ...] = ()
    text_block: "DocumentBlock | None" = None
    lines: tuple[DocumentLine, ...] = ()
    blocks: "tuple[DocumentBlock, ...]" = ()
    data: object = None
    heading: DocumentSpan | None = None

    @property
    def form(self) -> BlockForm:
        """Return how the block is laid out."""
        return self.role.form


def lines_by_run(
    lines: Iterable[DocumentLine], form: DocumentForm
) -> tuple[tuple[DocumentLine, ...], tuple[DocumentLine, ...]]:
    """Return the lines that stand in runs of a form, and the others."""
    parts: tuple[list[DocumentLine], list[DocumentLine]] = [], []
    for line in lines:
        parts[line.form.run is not form].append(line)
    return tuple(parts[0]), tuple(parts[1])


def line_runs(lines: Iterable[DocumentLine]) -> Iterator[tuple[DocumentForm, tuple[DocumentLine, ...]]]:
    """Yield lines that stand in one paragraph, list or fold, with their form: notes, sources and labels are of one."""
    for (form, _), run in groupby(lines, _run_key):
        yield form, tuple(run)


def _run_key(line: DocumentLine) -> tuple[DocumentForm, str]:
    """Return the same for lines of one run; what a reader opens has one opening."""
    is_opened = line.form in {DocumentForm.FOLDED, DocumentForm.QUOTE}
    return line.form.run, line.opening if is_opened else ""
