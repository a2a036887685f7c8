"""Problems of a text as written: the facts, with the places of all parties.

The words for them are elsewhere (compiler/report/words/source.py). A text in a field is as the
author wrote it, shortened where it may be long.
"""

from compiler.source.nodes import Word
from compiler.source.span import Span
from runtime.graph.frozen_dataclass import dataclass

# ---------------------------------------------------------------- .rules files


@dataclass(frozen=True, slots=True)
class UnexpectedToken:
    """The text cannot go on like this.

    `found` is the offending word, or "" at the end of the text. `expected` says in words what would fit,
    most likely first. `after` is the word before. `statement` is the paragraph it happened in: its keyword
    and, if that was read, its name. `candidates` are keywords that `found` may be a slip of. `opened` is
    the innermost `{` still open where the text ends or another paragraph begins. `skipped` is the text that
    was given up; what it would have declared is missing. `misplaced` tells of a conclusion: `late`, it stands
    behind the relations of its rule, or `another`, it is the second. `inside` is the word before the innermost open
    parenthesis. `uncut` says that only a comma before `found` is missing, and that it was read on as if it stood there.
    """

    span: Span
    found: str
    expected: tuple[str, ...]
    after: str
    statement: tuple[Word, ...]
    candidates: tuple[str, ...]
    opened: Span | None
    skipped: Span
    misplaced: str = ""
    inside: str = ""
    uncut: bool = False


@dataclass(frozen=True, slots=True)
class UnterminatedText:
    """A text, a quoted name or a list of cites is not closed in its line; `opening` is the sign that opened it."""

    span: Span
    opening: str


@dataclass(frozen=True, slots=True)
class BadCharacter:
    """Characters that mean nothing outside a text: `§`, curly quotes, letters with accents in a name."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Unprintable:
    """A control character, a reordering mark or a line separator: it would show another text than is read.

    `code` is its Unicode number, as in U+202E.
    """

    span: Span
    code: int


@dataclass(frozen=True, slots=True)
class OddSign:
    """A sign that no name may hold, and titles and texts only where it does not deceive a reader.

    `why`: "like" (drawn as the Latin letter `letter`), "letter" (of another script), "accent" (apart from its letter),
    "markup" (a tag, which some page or screen would obey).
    """

    span: Span
    sign: str
    why: str
    letter: str


@dataclass(frozen=True, slots=True)
class BadNumber:
    """No number of ours: a decimal (`3.5`), a zero below (`1/0`), too many digits, or letters joined on (`3MP`)."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class BadCite:
    """A citation that is no id (`TQ.LANE.02`), no short one (`.03`), no range (`.04-.06`), or stands there `again`."""

    span: Span
    text: str
    again: bool = False


@dataclass(frozen=True, slots=True)
class TooDeep:
    """Nested deeper than `limit`; no game needs it and no reader could follow it."""

    span: Span
    limit: int


# ---------------------------------------------------------------- files


@dataclass(frozen=True, slots=True)
class TooLarge:
    """More than the limit: `what` is bytes, statements, nodes, documents or files."""

    span: Span
    what: str
    limit: int


@dataclass(frozen=True, slots=True)
class NotUtf8:
    """A byte that is not UTF-8; the file was probably saved in another encoding."""

    span: Span
    byte: int


@dataclass(frozen=True, slots=True)
class MissingFile:
    """A file or folder that was asked for is not there or cannot be read.

    `reason` is what the system says; `written_at` is where its name was written, NOWHERE on the command line.
    """

    written_at: Span
    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class ForeignFile:
    """A YAML file outside of all layers, no document of which begins with a key of ours: it is not read.

    `key` is the first key that it has, "" if it begins with none; `others` are the first lines of the other such files.
    """

    span: Span
    key: str
    others: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class OutsidePackage:
    """A link leads out of the package it stands in; it is not followed."""

    span: Span
    target: str


@dataclass(frozen=True, slots=True)
class DuplicateName:
    """Two layers, boards, scenarios or documents (`what`) of one name; only the first is read."""

    span: Span
    what: str
    name: str
    first: Span


# ---------------------------------------------------------------- YAML


@dataclass(frozen=True, slots=True)
class BadYaml:
    """YAML that cannot be read; `message` is the reader's own, `context` where it began, if it says."""

    span: Span
    message: str
    context: Span | None


@dataclass(frozen=True, slots=True)
class RefusedYaml:
    """A part of YAML that hides what a file says: `what` is alias, anchor, tag or merge."""

    span: Span
    what: str


@dataclass(frozen=True, slots=True)
class DuplicateKey:
    """A key that stands in its mapping already; of a chart, `missing` are those that should stand there and do not."""

    span: Span
    key: str
    first: Span
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UnknownKey:
    """A key that a file of this kind does not have; `candidates` are those it may be a slip of, `known` all of them."""

    span: Span
    key: str
    kind: str
    candidates: tuple[str, ...]
    known: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MissingKey:
    """A key that must be there; `span` is the mapping that lacks it, or the key that probably `is_misspelled`."""

    span: Span
    key: str
    kind: str
    is_misspelled: bool = False


@dataclass(frozen=True, slots=True)
class BadShape:
    """A value of another shape than its place asks for.

    `wanted` says in words what belongs there, `found` what is there; `keys` are those a mapping cannot do without,
    `near` what may have been meant. `is_number`: what belongs there is a whole number, or may be one.
    """

    span: Span
    wanted: str
    found: str
    keys: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    is_number: bool = False


@dataclass(frozen=True, slots=True)
class UnknownDocument:
    """A YAML document whose first key names none of our kinds; `candidates` are near ones."""

    span: Span
    key: str
    candidates: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OutOfOrder:
    """A number of the book stands behind a higher one, or behind the same, in a register that is written in order."""

    span: Span
    label: str
    number: str
    above: Span
    last: str


SyntaxProblem = (
    UnexpectedToken | UnterminatedText | BadCharacter | Unprintable | OddSign | BadNumber | BadCite | TooDeep
)
FileProblem = TooLarge | NotUtf8 | MissingFile | ForeignFile | OutsidePackage | DuplicateName
YamlProblem = BadYaml | RefusedYaml | DuplicateKey | UnknownKey | MissingKey | BadShape | UnknownDocument | OutOfOrder
Problem = SyntaxProblem | FileProblem | YamlProblem
