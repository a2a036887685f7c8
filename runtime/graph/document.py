"""The document tree: what people are shown, as blocks of lines, before a printer lays it out.

In: texts, and what they refer to. Out: nodes of a tree. A builder decides which lines a block has, and in which order;
printers (HTML, Markdown, Typst) decide on layout alone, by the form of the role of a line. A role is one record: its
form, the words that open its lines, and the editions that have it.
"""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from itertools import groupby
from types import MappingProxyType

from runtime.graph.frozen_dataclass import frozen_dataclass


class DocumentForm(StrEnum):
    """How a line is laid out."""

    SENTENCE = "sentence"  # A paragraph, or the head of a list with its items.
    FOLDED = "folded"  # A paragraph that a reader opens; small on paper.
    NOTE = "note"  # A remark among those below the text.
    SOURCE = "source"  # References to paragraphs of the sources.
    CODE = "code"  # A name in the language.
    ENTRY = "entry"  # A line of a listing, under what it is about.
    ROW = "row"  # A row of a table: a span for each cell.
    DRAWN = "drawn"  # Lines whose columns matter: an excerpt of a file, a program, a map.
    QUOTE = "quote"  # The words of a source.
    BOXED = "boxed"  # A paragraph or a list that opens a section.
    STEP = "step"  # A step of a list in order, behind its mark.
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
    TABLE = "table"  # A grid, and what explains it; `data` is a `PrintedChart` or the `ExampleCases`.


class BookEdition(StrEnum):
    """A rendering of the book that may omit lines."""

    SITE = "site"
    WIKI = "wiki"
    UMPIRE = "umpire"
    PLAYER = "player"
    TERMINAL = "terminal"


class DocumentRole(StrEnum):
    """What a line says of the subject of its block."""

    PROSE = "prose"
    STATED = "logic"
    RESTATED = "exact"
    ASKS = "asks"
    ANSWERS = "answers"
    DISPUTED = "disputed"
    SOURCES = "cites"
    LABEL = "label"
    QUOTED = "quoted"
    ENTRY = "entry"
    HEADINGS = "headings"
    ROW = "row"
    DRAWN = "drawn"
    ITEM = "counted"
    GENERAL_RULE = "general"
    PROCEDURE = "procedure"
    DONE_HERE = "doing"
    DEFAULT = "default"
    REMARK = "remark"
    DETAIL = "detail"
    SCREEN_REMARK = "screen-remark"
    TOLD = "told"
    SHOWN = "shown"
    REASON = "why"
    RESTS_ON = "steps-below"
    CELL_SOURCES = "notes"
    STEP = "steps"
    AROUND = "around"
    BEFORE = "before"
    NOW = "now"
    LISTED = "listed"
    SPOKEN_OF = "readers"
    DECIDED_BY = "decided-by"
    FIGURES = "figures"
    CLARIFIED = "clarified-by"
    RULINGS = "rulings"
    FURTHER = "further"
    INAPPLICABLE = "inapplicable"
    CALCULATION = "calculation"


class BlockRole(StrEnum):
    """The subject of a block."""

    RULE = "rule"
    EXCEPTION = "exception"
    RULING = "ruling"
    LOOSE_RULING = "ruling-alone"
    EXAMPLE = "example"
    REPLY = "reply"
    MAP = "map"
    CASES = "cases"
    CASE = "case"
    REMARK = "remark"
    CHART = "chart"
    CHARTS = "charts"
    PLAY = "play"
    PROCEDURES = "procedures"
    PROCEDURE = "procedure"
    REQUIREMENTS = "requirements"
    RULINGS = "rulings"
    LISTED_RULING = "listed-ruling"
    ERRATA = "errata"
    ERRATUM = "erratum"
    DISPUTES = "disputes"
    DISPUTE = "dispute"
    READING = "reading"
    QUESTIONS = "questions"
    GLOSSARY = "glossary"
    INDEX = "keywords"
    SOURCES = "sources"
    EXAMPLES = "examples"
    LISTING = "listing"
    ANSWER = "answer"


@frozen_dataclass
class RoleRecord:
    """What printers and builders know of a role; `opening` are the words before the text of its lines."""

    form: DocumentForm
    opening: str = ""
    editions: frozenset[BookEdition] = frozenset(BookEdition)


@frozen_dataclass
class BlockRecord:
    """What printers and builders know of the role of a block."""

    form: BlockForm
    editions: frozenset[BookEdition] = frozenset(BookEdition)


_WITH_DETAILS = frozenset(BookEdition) - {BookEdition.PLAYER}
_ON_SCREENS = frozenset({BookEdition.SITE, BookEdition.WIKI})

ROLES: Mapping[DocumentRole, RoleRecord] = MappingProxyType(
    {
        DocumentRole.PROSE: RoleRecord(DocumentForm.SENTENCE),
        DocumentRole.STATED: RoleRecord(DocumentForm.SENTENCE),
        DocumentRole.RESTATED: RoleRecord(DocumentForm.FOLDED, "In exact words", _WITH_DETAILS),
        DocumentRole.ASKS: RoleRecord(DocumentForm.SENTENCE, "Q."),
        DocumentRole.ANSWERS: RoleRecord(DocumentForm.SENTENCE, "A."),
        DocumentRole.DISPUTED: RoleRecord(DocumentForm.NOTE, "The sources disagree:"),
        DocumentRole.SOURCES: RoleRecord(DocumentForm.SOURCE, editions=_WITH_DETAILS),
        DocumentRole.LABEL: RoleRecord(DocumentForm.CODE, editions=_ON_SCREENS),
        DocumentRole.QUOTED: RoleRecord(DocumentForm.QUOTE, "In the words of the sources", _WITH_DETAILS),
        DocumentRole.ENTRY: RoleRecord(DocumentForm.ENTRY),
        DocumentRole.HEADINGS: RoleRecord(DocumentForm.ROW),
        DocumentRole.ROW: RoleRecord(DocumentForm.ROW),
        DocumentRole.DRAWN: RoleRecord(DocumentForm.DRAWN),
        DocumentRole.ITEM: RoleRecord(DocumentForm.ENTRY),
        DocumentRole.GENERAL_RULE: RoleRecord(DocumentForm.BOXED, "General rule"),
        DocumentRole.PROCEDURE: RoleRecord(DocumentForm.BOXED, "Procedure"),
        DocumentRole.DONE_HERE: RoleRecord(DocumentForm.BOXED, "What is done", _ON_SCREENS),
        DocumentRole.DEFAULT: RoleRecord(DocumentForm.FOLDED, "What holds unless a rule says otherwise", _WITH_DETAILS),
        DocumentRole.REMARK: RoleRecord(DocumentForm.NOTE),
        DocumentRole.DETAIL: RoleRecord(DocumentForm.NOTE, editions=_WITH_DETAILS),
        DocumentRole.SCREEN_REMARK: RoleRecord(DocumentForm.NOTE, editions=_ON_SCREENS),
        DocumentRole.TOLD: RoleRecord(DocumentForm.TOLD),
        DocumentRole.SHOWN: RoleRecord(DocumentForm.ANSWER),
        DocumentRole.REASON: RoleRecord(DocumentForm.REASON),
        DocumentRole.RESTS_ON: RoleRecord(DocumentForm.FOLDED, "It rests on other answers", _ON_SCREENS),
        DocumentRole.CELL_SOURCES: RoleRecord(DocumentForm.ENTRY, editions=_WITH_DETAILS),
        DocumentRole.STEP: RoleRecord(DocumentForm.STEP),
        DocumentRole.AROUND: RoleRecord(DocumentForm.STEP),
        DocumentRole.BEFORE: RoleRecord(DocumentForm.SENTENCE, "Before:"),
        DocumentRole.NOW: RoleRecord(DocumentForm.SENTENCE, "Now:"),
        DocumentRole.LISTED: RoleRecord(DocumentForm.ENTRY),
        DocumentRole.SPOKEN_OF: RoleRecord(DocumentForm.FOLDED, "All places"),
        # Of answers, whose heading is the answer itself.
        DocumentRole.DECIDED_BY: RoleRecord(DocumentForm.SENTENCE),
        DocumentRole.FIGURES: RoleRecord(DocumentForm.SENTENCE),
        DocumentRole.CLARIFIED: RoleRecord(DocumentForm.SENTENCE, "Ruling:"),
        DocumentRole.RULINGS: RoleRecord(DocumentForm.FOLDED, "Related rulings"),
        DocumentRole.FURTHER: RoleRecord(DocumentForm.SENTENCE, "Besides:"),
        DocumentRole.INAPPLICABLE: RoleRecord(DocumentForm.FOLDED, "Rules that do not apply here"),
        DocumentRole.CALCULATION: RoleRecord(DocumentForm.FOLDED, "Calculation"),
    }
)

BLOCKS: Mapping[BlockRole, BlockRecord] = MappingProxyType(
    {
        BlockRole.RULE: BlockRecord(BlockForm.RULE),
        BlockRole.EXCEPTION: BlockRecord(BlockForm.RULE),
        BlockRole.RULING: BlockRecord(BlockForm.ASIDE),
        BlockRole.LOOSE_RULING: BlockRecord(BlockForm.GROUP),
        BlockRole.EXAMPLE: BlockRecord(BlockForm.FIGURE, _WITH_DETAILS - {BookEdition.TERMINAL}),
        BlockRole.CASES: BlockRecord(BlockForm.TABLE),
        BlockRole.CASE: BlockRecord(BlockForm.SECTION),
        BlockRole.REMARK: BlockRecord(BlockForm.GROUP),
        BlockRole.CHART: BlockRecord(BlockForm.TABLE),
        BlockRole.CHARTS: BlockRecord(BlockForm.SECTION),
        BlockRole.PLAY: BlockRecord(BlockForm.SECTION),
        BlockRole.PROCEDURES: BlockRecord(BlockForm.SECTION),
        BlockRole.PROCEDURE: BlockRecord(BlockForm.SECTION),
        BlockRole.REQUIREMENTS: BlockRecord(BlockForm.SECTION, _ON_SCREENS),
        BlockRole.RULINGS: BlockRecord(BlockForm.SECTION, _ON_SCREENS),
        BlockRole.LISTED_RULING: BlockRecord(BlockForm.SECTION),
        BlockRole.ERRATA: BlockRecord(BlockForm.SECTION, _ON_SCREENS),
        BlockRole.ERRATUM: BlockRecord(BlockForm.SECTION),
        BlockRole.DISPUTES: BlockRecord(BlockForm.SECTION),
        BlockRole.DISPUTE: BlockRecord(BlockForm.SECTION),
        BlockRole.READING: BlockRecord(BlockForm.SECTION),
        BlockRole.QUESTIONS: BlockRecord(BlockForm.SECTION, _ON_SCREENS),
        BlockRole.GLOSSARY: BlockRecord(BlockForm.SECTION, _ON_SCREENS),
        BlockRole.INDEX: BlockRecord(BlockForm.SECTION, _ON_SCREENS),
        BlockRole.SOURCES: BlockRecord(BlockForm.SECTION, _ON_SCREENS),
        BlockRole.EXAMPLES: BlockRecord(BlockForm.SECTION, _ON_SCREENS),
        BlockRole.LISTING: BlockRecord(BlockForm.SECTION),
        BlockRole.REPLY: BlockRecord(BlockForm.SECTION),
        BlockRole.MAP: BlockRecord(BlockForm.FIGURE),
        BlockRole.ANSWER: BlockRecord(BlockForm.GROUP),
    }
)


@frozen_dataclass
class DocumentSpan:
    """A part of a line. `key` is the kind and the name of the thing that it refers to, `number` that thing's number.

    `address` is its address within the site, where it differs from that of `key`. `tone` is what a terminal colors it
    by: `error`, `warning`, `gutter`, `help`, `other`.
    """

    text: str
    key: tuple[str, str] | None = None
    number: str = ""
    address: str = ""
    is_emphasized: bool = False
    tone: str = ""
    is_strong: bool = False


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
        return ROLES[self.role].form

    @property
    def opening(self) -> str:
        """Return the words before the text of the line."""
        return ROLES[self.role].opening


@frozen_dataclass
class DocumentTag:
    """A word beside a heading, and its class: `change`, the kind of a ruling, its impact."""

    text: str
    kind: str


@frozen_dataclass
class DocumentBlock:
    """A thing with its heading, its lines, and the blocks under it.

    `text_block` stands in place of its sentence: the ruling that a rule is printed as one with. `data` is what a block
    without lines consists of, for its printer: an example; of a map, a function that draws it for a number of columns.
    `text_block` stands in place of its sentence: the ruling that a rule is printed as one with. `data` is a picture or
    a grid, which printers lay out by themselves. `heading` is a reference in place of number and title.
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
        return BLOCKS[self.role].form

    def lines_of(self, *forms: DocumentForm) -> tuple[DocumentLine, ...]:
        """Return the lines that have one of these forms."""
        return tuple(line for line in self.lines if line.form in forms)

    def blocks_of(self, *roles: BlockRole) -> "tuple[DocumentBlock, ...]":
        """Return the blocks directly under this one that have one of these roles."""
        return tuple(block for block in self.blocks if block.role in roles)


def line_runs(lines: Iterable[DocumentLine]) -> Iterator[tuple[DocumentForm, tuple[DocumentLine, ...]]]:
    """Yield lines that stand in one paragraph, list or fold, with their form: notes, sources and labels are of one."""
    for (form, _), run in groupby(lines, _run_key):
        yield form, tuple(run)


def _run_key(line: DocumentLine) -> tuple[DocumentForm, str]:
    """Return the same for lines of one run; what a reader opens has one opening."""
    is_opened = line.form in {DocumentForm.FOLDED, DocumentForm.QUOTE}
    return line.form.run, line.opening if is_opened else ""
