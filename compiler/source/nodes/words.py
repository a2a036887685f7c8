"""Single written words: names, labels, and the scalars of YAML, which stay text."""

from compiler.source.span import NOWHERE, Span
from runtime.graph.frozen_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Word:
    """One written word with its place: a name, a label, a quoted name."""

    span: Span
    text: str


# The general words for what a map consists of; a tree has the words of hexes for both.
GENERAL = {"space": "hex", "connection": "hexside"}


def as_hexes(word: Word) -> Word:
    """Return the word of hexes for a general one, and any other word as it is."""
    return Word(word.span, GENERAL[word.text]) if word.text in GENERAL else word


@dataclass(frozen=True, slots=True)
class Reads:
    """The phrase for a term, trait or action; `denied` is the sentence for no."""

    span: Span
    text: str
    denied: str | None


@dataclass(frozen=True, slots=True)
class Scalar:
    """A YAML scalar as text: `6:1`, `0203` and `NO` mean what they say. The schema types it later.

    `start` is where the text itself begins, inside quotes or below a `|`, for texts that are parsed
    further; NOWHERE when folding (`>`) has moved its lines.
    """

    span: Span
    text: str
    start: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class ValueList:
    """A YAML sequence."""

    span: Span
    items: tuple["Value", ...]


@dataclass(frozen=True, slots=True)
class ValueMap:
    """A YAML mapping in written order; its keys are words, its values anything."""

    span: Span
    entries: tuple[tuple[Word, "Value"], ...]


Value = Scalar | ValueList | ValueMap
