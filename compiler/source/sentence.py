"""Sentences, which findings build of themselves: all the texts of a diagnostic, and phrases that many of them need."""

from enum import StrEnum

from compiler.source.origins import span_of
from compiler.source.span import Span
from compiler.source.suggestions import nearest_names
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.words import list_text

MOST_NAMES = 12  # The most names that are listed.
# The conclusion of a rule may be a formula of several lines; the label beside it must stay readable.
LONGEST_CONCLUSION = 80
# Begins the roots of declarations that are doubled by a copied block or file.
COPIED = "copied"


class Severity(StrEnum):
    """The severity of a finding: errors are bugs and prevent the stack from compiling; warnings are suspicions."""

    ERROR = "error"
    WARNING = "warning"


@frozen_dataclass
class Label:
    """One party to a finding: its span and its relation to the finding."""

    span: Span
    text: str


@frozen_dataclass
class Witness:
    """A position that proves a finding: as a sentence, and as a file that `ask -p` accepts.

    `when` is "cold = yes, gait = wheel"; `share` is its frequency, "12 of 64 combinations". `file` is the text of the
    position, `question` the question about it and `answer` the answer; `path` is "" until the text is saved.
    """

    when: str
    share: str = ""
    question: str = ""
    answer: str = ""
    file: str = ""
    path: str = ""


@frozen_dataclass
class Sentence:
    """A problem formatted as a sentence.

    `root` identifies the root cause ("term entri_cost"); problems with one code and one root are one mistake. `names`
    are the names whose declaration would remove the problem: where text with a declaration is skipped after a syntax
    error, a use of the declared name is its consequence. `severity` overrides that of the code.
    """

    message: str
    spans: tuple[Label, ...]
    help: str = ""
    witness: Witness | None = None
    root: str = ""
    names: tuple[str, ...] = ()
    severity: Severity | None = None
    explanation: str = ""


def origin_label(origin: graph.Origin, text: str) -> Label:
    """Build the label of a party that is a node of the graph, at the place where it was written."""
    return Label(span_of(origin), text)


def backquoted(text: str) -> str:
    """Return the author's text in backticks."""
    return f"`{text}`"


def truncated_line(text: str, longest: int = LONGEST_CONCLUSION) -> str:
    """Truncate a text to one line."""
    return text if len(text) <= longest else f"{text[:longest]}…"


def copy_root(copy: Span, first: Span, alone: str) -> str:
    """Return the root of a doubled declaration: those of a copied block, or file, are all equally far from the first.

    `alone` is the root of one that is doubled in its own line.
    """
    distance = copy.line - first.line
    if copy.file == first.file and not distance:
        return alone
    return f"{COPIED} {copy.file} {first.file} {distance}"


def list_words(words: tuple[str, ...], joint: str = "or", most: int = 6) -> str:
    """Format `a`, `b` or `c`; a long list is truncated with the number of the rest."""
    quoted_words = [backquoted(word) for word in words[:most]]
    if len(words) > most:
        return ", ".join(quoted_words) + f" and {len(words) - most} more"
    return list_text(quoted_words, joint)


def did_you_mean(near_names: tuple[str, ...], advice: str = "") -> str:
    """Suggest the nearest names; where none is near, return other advice."""
    return f"did you mean {list_words(near_names)}?" if near_names else advice


def suggestion_text(name: str, candidates: tuple[str, ...], prefix: str, advice: str) -> str:
    """Suggest what may have been meant: a near name, all if they are few, or advice."""
    near_names = nearest_names(name, candidates)
    if near_names:
        return did_you_mean(near_names)
    if 0 < len(candidates) <= MOST_NAMES:
        return f"{prefix} {list_words(candidates, 'and', MOST_NAMES)}"
    return advice


def choice_text(near_names: tuple[str, ...], candidates: tuple[str, ...], prefix: str, most: int = 6) -> str:
    """Suggest the nearest names, or list the valid ones, at most `most` of them."""
    if near_names:
        return did_you_mean(near_names)
    return f"{prefix}: {list_words(candidates, most=most)}" if candidates else ""
