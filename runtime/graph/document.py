"""The document tree: what people are shown, as blocks of lines, before a printer lays it out.

In: texts, and what they refer to. Out: nodes of a tree. A builder decides which lines a block has, and in which order;
printers (HTML, Markdown, Typst) decide on layout alone, by the form of the role of a line. A role is one record: its
form, the words that open its lines, and the editions that have it.
"""

from collections.abc import Mapping
from enum import StrEnum
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
    RELATION = "relation"
    DISPUTED = "disputed"
    CARRIES_OUT = "carries-out"
    SHOWN_ELSEWHERE = "shown-elsewhere"
    LOOKED_UP = "looks"
    SOURCES = "cites"
    LABEL = "label"
    QUOTED = "quoted"
    ENTRY = "entry"
    HEADINGS = "headings"
    ROW = "row"
    DRAWN = "drawn"


class BlockRole(StrEnum):
    """The subject of a block."""

    RULE = "rule"
    EXCEPTION = "exception"
    RULING = "ruling"
    LOOSE_RULING = "ruling-alone"
    EXAMPLE = "example"
    REPLY = "reply"
    MAP = "map"


@frozen_dataclass
class RoleRecord:
    """What printers and builders know of a role; `opening` are the words before the text of its lines."""

    form: DocumentForm
    opening: str = ""
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
        DocumentRole.RELATION: RoleRecord(DocumentForm.NOTE, editions=_WITH_DETAILS),
        DocumentRole.DISPUTED: RoleRecord(DocumentForm.NOTE, "The sources disagree:"),
        DocumentRole.CARRIES_OUT: RoleRecord(DocumentForm.NOTE, "Carries out the ruling", _WITH_DETAILS),
        DocumentRole.SHOWN_ELSEWHERE: RoleRecord(DocumentForm.NOTE, "See the example", _WITH_DETAILS),
        DocumentRole.LOOKED_UP: RoleRecord(DocumentForm.NOTE, "See", _WITH_DETAILS),
        DocumentRole.SOURCES: RoleRecord(DocumentForm.SOURCE, editions=_WITH_DETAILS),
        DocumentRole.LABEL: RoleRecord(DocumentForm.CODE, editions=_ON_SCREENS),
        DocumentRole.QUOTED: RoleRecord(DocumentForm.QUOTE, "In the words of the sources", _WITH_DETAILS),
        DocumentRole.ENTRY: RoleRecord(DocumentForm.ENTRY),
        DocumentRole.HEADINGS: RoleRecord(DocumentForm.ROW),
        DocumentRole.ROW: RoleRecord(DocumentForm.ROW),
        DocumentRole.DRAWN: RoleRecord(DocumentForm.DRAWN),
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


@frozen_dataclass
class DocumentLine:
    """A line, with the items of the list that it opens."""

    role: DocumentRole
    spans: tuple[DocumentSpan, ...]
    items: "tuple[DocumentLine, ...]" = ()

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

    def lines_of(self, *forms: DocumentForm) -> tuple[DocumentLine, ...]:
        """Return the lines that have one of these forms."""
        return tuple(line for line in self.lines if line.form in forms)

    def blocks_of(self, *roles: BlockRole) -> "tuple[DocumentBlock, ...]":
        """Return the blocks directly under this one that have one of these roles."""
        return tuple(block for block in self.blocks if block.role in roles)
