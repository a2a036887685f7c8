"""Nodes of the entries of the printed book that are not rules.

book:                              # book.yaml, or any other YAML file of a layer
  - case: marshes
    rule: A marsh slows whoever enters it.
    procedure: [Pay the price of the chart., Throw for sinking.]
    parts: [{Prices: [marsh-slows]}, {Sinking: [marsh-sinks, marsh-holds]}]
headings: {marsh-slows: Moving through marsh}
dates: {reeds-are-marsh: "1976"}   # of rulings older than the document that repeats them
index:
  marsh: {cost of entering: marsh-slows, sinking in: [marsh-sinks, marsh-holds]}
asked: {marsh-slows: [wading cost, how slow are marshes]}
phases: {march: marshes}
author: [A. Reed, B. Sedge]
publisher: Fen Press
faces: {cart: [load, speed]}       # factors on the counters of a kind: four corners, below the name, above it

numbers:                           # numbers.yaml, written by `rulewright number`
  cases: {marshes: "4"}
  rules: {marsh-slows: "4.1"}
  rulings: {reeds-are-marsh: 4.1 Q1}
  retired: {"4.2": marsh-sinks}
"""

from compiler.source.nodes.words import Word
from compiler.source.span import Node
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class Opening(Node):
    """The introduction of a section, and the parts into which its rules are grouped, each with its heading.

    `rule` may be "".
    """

    case: Word
    rule: str
    procedure: tuple[str, ...]
    parts: tuple[tuple[Word, tuple[Word, ...]], ...]


@frozen_dataclass
class Book(Node):
    """The book entries of a layer: introductions, headings of rules and terms, and printed numbers.

    A number is stored with "case", "rule", ..; and its label. `dates` are those of rulings: a year, a month (1976-05)
    or a day (1976-05-31). `index` contains index entries: the subject, the sub-entry or "", and the labels that it
    refers to. `asked` are search words. `phases` are the cases and charts that describe what is done in a phase.
    `authors` and `publisher` are those of the rules. `faces` are the factors that the counters of a kind show.
    """

    openings: tuple[Opening, ...]
    headings: tuple[tuple[Word, str], ...]
    numbers: tuple[tuple[str, Word, str], ...] = ()
    dates: tuple[tuple[Word, str], ...] = ()
    index: tuple[tuple[str, str, tuple[Word, ...]], ...] = ()
    asked: tuple[tuple[Word, tuple[str, ...]], ...] = ()
    phases: tuple[tuple[Word, tuple[Word, ...]], ...] = ()
    authors: tuple[str, ...] = ()
    publisher: str = ""
    faces: tuple[tuple[Word, tuple[Word, ...]], ...] = ()
