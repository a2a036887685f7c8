"""Problems of a text as written: the facts, with the spans of all parties.

Their sentences are in compiler/report/words/source.py. A text in a field is as the author wrote it, shortened where it
may be long.
"""

from compiler.source.nodes import Word
from compiler.source.span import LocatedProblem, Span
from runtime.graph.frozen_dataclass import dataclass

# ---------------------------------------------------------------- .rules files


@dataclass(frozen=True, slots=True)
class UnexpectedToken(LocatedProblem):
    """A token that cannot follow.

    `found` is the unexpected token, or "" at the end of the text. `expected` contains phrases for the tokens that could
    follow, most likely first. `previous_word` is the word before. `statement` is the paragraph: its keyword and, if it
    was read, its name. `candidates` are keywords that `found` may be a misspelling of. `open_brace` is the innermost
    `{` still open where the text ends or another paragraph starts. `skipped` is the text that was discarded; its
    declarations are missing. `misplacement` classifies a misplaced conclusion: `late`, it follows the relations of its
    rule, or `another`, it is the second. `enclosing_word` is the word before the innermost open parenthesis.
    `lacks_comma` states that only a comma before `found` is missing, and that parsing continued as if it were there.
    """

    found: str
    expected: tuple[str, ...]
    previous_word: str
    statement: tuple[Word, ...]
    candidates: tuple[str, ...]
    open_brace: Span | None
    skipped: Span
    misplacement: str = ""
    enclosing_word: str = ""
    lacks_comma: bool = False


@dataclass(frozen=True, slots=True)
class UnterminatedText(LocatedProblem):
    """A text, a quoted name or a list of citations that is not closed in its line.

    `opening` is the sign that opens it.
    """

    opening: str


@dataclass(frozen=True, slots=True)
class BadCharacter(LocatedProblem):
    """Characters without a meaning outside a text: `§`, curly quotes, accented letters in a name."""

    text: str


@dataclass(frozen=True, slots=True)
class Unprintable(LocatedProblem):
    """A control character, a reordering mark or a line separator, which would display another text than is read.

    `code` is its Unicode number, as in U+202E.
    """

    code: int


@dataclass(frozen=True, slots=True)
class OddSign(LocatedProblem):
    """A character that no name may contain, and titles and texts only where it does not deceive a reader.

    `category`: "like" (drawn as the Latin letter `letter`), "letter" (of another script), "accent" (apart from its
    letter), "markup" (a tag, which some page or screen would interpret).
    """

    sign: str
    category: str
    letter: str


@dataclass(frozen=True, slots=True)
class BadNumber(LocatedProblem):
    """An invalid number: a decimal (`3.5`), a zero denominator (`1/0`), too many digits, adjacent letters (`3MP`)."""

    text: str


@dataclass(frozen=True, slots=True)
class BadCite(LocatedProblem):
    """A citation that is no id (`TQ.LANE.02`), no short id (`.03`) and no range (`.04-.06`), or that is repeated."""

    text: str
    is_repetition: bool = False


@dataclass(frozen=True, slots=True)
class TooDeep(LocatedProblem):
    """Nesting deeper than `limit`; no game needs it and no reader could follow it."""

    limit: int


# ---------------------------------------------------------------- files


@dataclass(frozen=True, slots=True)
class TooLarge(LocatedProblem):
    """More than the limit: `unit` is bytes, statements, nodes, documents or files."""

    unit: str
    limit: int


@dataclass(frozen=True, slots=True)
class NotUtf8(LocatedProblem):
    """A byte that is not UTF-8; the file was probably saved in another encoding."""

    byte: int


@dataclass(frozen=True, slots=True)
class MissingFile:
    """A requested file or folder that does not exist or cannot be read.

    `reason` is the message of the system; `written_at` is where its name is written, NOWHERE on the command line.
    """

    written_at: Span
    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class ForeignFile(LocatedProblem):
    """A YAML file outside all layers none of whose documents starts with a known key: it is not read.

    `key` is its first key, "" if it starts with none; `others` are the first lines of the other such files.
    """

    key: str
    others: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class OutsidePackage(LocatedProblem):
    """A link that leads out of its package; it is not followed."""

    target: str


@dataclass(frozen=True, slots=True)
class BrokenElsewhere(LocatedProblem):
    """Errors in folders of which a stack uses nothing: the first one of a file, and of each of the `others`."""

    reason: str
    others: tuple[tuple[Span, str], ...] = ()


@dataclass(frozen=True, slots=True)
class DuplicateItem(LocatedProblem):
    """Two layers, boards, scenarios or documents (`category`) with one name; only the first is read."""

    category: str
    name: str
    first: Span


# ---------------------------------------------------------------- YAML


@dataclass(frozen=True, slots=True)
class BadYaml(LocatedProblem):
    """Malformed YAML; `message` is that of the YAML reader, `context` where the construct started, if known."""

    message: str
    context: Span | None


@dataclass(frozen=True, slots=True)
class RefusedYaml(LocatedProblem):
    """A YAML construct that obscures the content of a file: `construct` is alias, anchor, tag or merge."""

    construct: str


@dataclass(frozen=True, slots=True)
class DuplicateKey(LocatedProblem):
    """A repeated key of a mapping."""

    key: str
    first: Span


@dataclass(frozen=True, slots=True)
class UnknownKey(LocatedProblem):
    """A key that a file of this kind does not have; `candidates` are keys that it may be a misspelling of.

    `known` are all keys.
    """

    key: str
    kind: str
    candidates: tuple[str, ...]
    known: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MissingKey(LocatedProblem):
    """A required key that is absent; `span` is the mapping that lacks it, or the key that probably `is_misspelled`."""

    key: str
    kind: str
    is_misspelled: bool = False


@dataclass(frozen=True, slots=True)
class BadShape(LocatedProblem):
    """A value of another shape than its place requires.

    `expected` is a phrase for what is required, `found` for what is there; `keys` are the required keys of a mapping,
    `candidates` what may have been meant. `is_number`: a whole number is required or allowed, up to the common limit.
    """

    expected: str
    found: str
    keys: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    is_number: bool = False


@dataclass(frozen=True, slots=True)
class UnknownDocument(LocatedProblem):
    """A YAML document with an unknown first key; `candidates` are near ones."""

    key: str
    candidates: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OutOfOrder(LocatedProblem):
    """A number of the book that follows a higher or equal one in a register that is ordered."""

    label: str
    number: str
    above: Span
    last: str


SyntaxProblem = (
    UnexpectedToken | UnterminatedText | BadCharacter | Unprintable | OddSign | BadNumber | BadCite | TooDeep
)
FileProblem = TooLarge | NotUtf8 | MissingFile | ForeignFile | OutsidePackage | BrokenElsewhere | DuplicateItem
YamlProblem = BadYaml | RefusedYaml | DuplicateKey | UnknownKey | MissingKey | BadShape | UnknownDocument | OutOfOrder
Problem = SyntaxProblem | FileProblem | YamlProblem
