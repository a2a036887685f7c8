"""Manifests: the declarations of layers, and the registry of source documents.

layer: deep_frost                  # layer.yaml
title: Deep Frost
kind: variant                      # base, rulings, optional, experimental, variant, scenario or joint
on: [toy]
with: [thin_ice]                   # comes along wherever this layer is chosen, unless it is left off
not with: [high_summer]
above: [early_thaw]                # if that is there too, what this layer inserts comes nearer to the place
playable: yes                      # a stack others can name; `base` layers only
cites: V.1 .2
readings: {marsh-dispute: bogs-down}
card: [[sequence, crt], [terrain]] # both sides of the quick-reference card
see: {boat: [ferry, raft]}         # what a reader may look up, and the words that this book has for it

sources:                           # sources.yaml
  - prefix: T
    title: The Toy Rules
    edition: second printing
    date: "1976-05"                # when it came out: a year, a month or a day
    sections: {LANE: 7, MOVE: 12}  # ids T.LANE.01 to T.LANE.07, T.MOVE.01 to T.MOVE.12
    headings: {LANE: Lanes}        # how a section is headed, where that is worth saying
  - prefix: V
    title: Frost Variant
    items: [V.1, V.2]              # ids that do not count up in sections
"""

from compiler.source.nodes.words import Word
from compiler.source.span import Node
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class Equivalent(Node):
    """A mutation that no example can detect: the mutated item, the original and the mutated text, and the reason.

    `nth` is the ordinal among equal places in one item; 0: all of them.
    """

    at: str
    was: str
    now: str
    why: str
    nth: int = 0


@frozen_dataclass
class Layer(Node):
    """The manifest of a layer."""

    name: Word
    kind: Word
    title: str
    on: tuple[Word, ...]
    along: tuple[Word, ...]
    not_with: tuple[Word, ...]
    above: tuple[Word, ...]
    playable: bool
    cites: tuple[Word, ...]
    readings: tuple[tuple[Word, Word], ...]
    card: tuple[tuple[Word, ...], ...]
    see: tuple[tuple[str, tuple[str, ...]], ...]
    gaps: tuple[str, ...]
    equivalent: tuple[Equivalent, ...] = ()


@frozen_dataclass
class Document(Node):
    """One source document and the ids that it declares for citation."""

    prefix: Word
    title: str
    edition: str | None
    sections: tuple[tuple[Word, int], ...]
    headings: tuple[tuple[Word, str], ...]
    items: tuple[Word, ...]
    date: str


@frozen_dataclass
class Sources(Node):
    """The registry of source documents."""

    documents: tuple[Document, ...]
