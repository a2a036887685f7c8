"""Single written words: names, labels, and the scalars of YAML, which stay text."""

from compiler.source.span import NOWHERE, Span
from runtime.graph.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Word:
    """One written word with its place: a name, a label, a quoted name."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Reads:
    """How a term, trait or action is said; `denied` is the sentence for no."""

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
