"""Sentences, which `words/` makes of problems: everything a diagnostic says, before it has a code."""

from dataclasses import dataclass

from compiler.report.diagnostic import Label, Severity, Witness
from compiler.source.span import Span
from compiler.source.suggestions import names_sharing_a_word, nearest_names
from runtime.graph import nodes as graph

FEW = 12  # The most names that are listed.


@dataclass(frozen=True, slots=True)
class Sentence:
    """A problem put into words.

    `root` names what is really wrong ("term entri_cost"); problems of one code and one root are one
    mistake. `names` are the words that would be fine if they were declared: where a syntax error
    swallowed a declaration, a use of the declared name is its follow-up. `severity` overrules that of the code.
    """

    message: str
    spans: tuple[Label, ...]
    help: str = ""
    witness: Witness | None = None
    root: str = ""
    names: tuple[str, ...] = ()
    severity: Severity | None = None
    why: str = ""


def span_of(origin: graph.Origin) -> Span:
    """Find where a node of the graph was written."""
    return Span(origin.file, origin.line, origin.column, origin.end_line, origin.end_column)


def span_label(span: Span, text: str = "") -> Label:
    """Name a party."""
    return Label(span, text)


def quoted(text: str) -> str:
    """Mark the author's own text."""
    return f"`{text}`"


def list_words(words: tuple[str, ...], joint: str = "or", most: int = 6) -> str:
    """Write `a`, `b` or `c`; a long list is cut and says so."""
    shown = [quoted(word) for word in words[:most]]
    if len(words) > most:
        return ", ".join(shown) + f" and {len(words) - most} more"
    if len(shown) < 2:
        return "".join(shown)
    return f"{', '.join(shown[:-1])} {joint} {shown[-1]}"


def counted_noun(number: int, one: str, many: str = "") -> str:
    """Write `1 argument`, `2 arguments`."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def did_you_mean(near: tuple[str, ...], otherwise: str = "") -> str:
    """Offer the nearest names; where none is near, say what else helps."""
    return f"did you mean {list_words(near)}?" if near else otherwise


def suggestion_text(name: str, fitting: tuple[str, ...], what: str, otherwise: str = "") -> str:
    """Offer what may have been meant: a near name, all if they are few, those that share a word with it, or advice."""
    near = nearest_names(name, fitting)
    if near:
        return did_you_mean(near)
    if 0 < len(fitting) <= FEW:
        return f"{what} {list_words(fitting, 'and', FEW)}"
    akin = names_sharing_a_word(name, fitting)
    return f"nothing is spelled nearly so; perhaps {list_words(akin)}" if akin else otherwise


def choice_text(near: tuple[str, ...], fitting: tuple[str, ...], what: str) -> str:
    """Offer the nearest names, or list all that would fit when they are few enough to read."""
    if near:
        return did_you_mean(near)
    return f"{what}: {list_words(fitting)}" if fitting else ""
