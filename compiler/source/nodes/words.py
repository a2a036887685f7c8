"""Single written words: names, labels, and the scalars of YAML, which are stored as text."""

from compiler.source.span import NOWHERE, Node, Span
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class Word(Node):
    """One written word with its span: a name, a label, a quoted name."""

    text: str


# General words for the parts of a map; a tree uses the words for hexes in place of both.
GENERAL = {"space": "hex", "connection": "hexside"}


def as_hexes(word: Word) -> Word:
    """Replace a general word for parts of a map by that for hexes; any other word is unchanged."""
    return Word(word.span, GENERAL[word.text]) if word.text in GENERAL else word


@frozen_dataclass
class Reads(Node):
    """The phrase for a term, trait or action; `denied` is the sentence of a negative answer."""

    text: str
    denied: str | None


@frozen_dataclass
class Scalar(Node):
    """A YAML scalar as text: `6:1`, `0203` and `NO` are not converted; the schema types them later.

    `start` is where the text itself starts, inside quotes or below a `|`, for texts that are parsed further; NOWHERE
    when folding (`>`) has moved its lines.
    """

    text: str
    start: Span = NOWHERE


@frozen_dataclass
class ValueList(Node):
    """A YAML sequence."""

    items: tuple["Value", ...]


@frozen_dataclass
class ValueMap(Node):
    """A YAML mapping in written order; its keys are words, its values arbitrary."""

    entries: tuple[tuple[Word, "Value"], ...]

    def get(self, key: str) -> "Value | None":
        """Return the value of a key; None if it is absent."""
        return next((value for word, value in self.entries if word.text == key), None)


Value = Scalar | ValueList | ValueMap
