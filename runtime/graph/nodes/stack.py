"""The graph of one compiled stack."""

from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.nodes.conduct import Precondition, Procedure
from runtime.graph.nodes.expressions import Expr
from runtime.graph.nodes.laws import Case, Dispute, Rule, Ruling, Table, Term
from runtime.graph.nodes.setups import Example, Scenario
from runtime.graph.nodes.vocabulary import Origin, Vocabulary


@frozen_dataclass
class AddedValue:
    """By what sources a counter has a value of a factor that a layer added to its kind, and where that is written."""

    name: str
    cites: tuple[str, ...]
    origin: Origin


@frozen_dataclass
class Counter:
    """A row of the unit function chart: one type of counter.

    `first` are the added factors of which nothing is said: it shows their first values.
    """

    id: str
    kind: str
    owner: str  # "" for any side
    printed: tuple[tuple[str, Expr], ...]
    traits: tuple[str, ...]
    cites: tuple[str, ...]  # its own, or those of its chart
    singled_out: bool  # whether it has citations of its own
    origin: Origin
    title: str = ""  # the name that players use, if it differs from its id
    back: str = ""  # the counter on its other side, "" if there is none
    nicknames: tuple[str, ...] = ()  # names that players use beside its title
    first: tuple[str, ...] = ()
    added: tuple[AddedValue, ...] = ()  # values that do not stand in its own row


@frozen_dataclass
class Always:
    """A fact about the data that proofs may assume."""

    label: str
    condition: Expr
    cites: tuple[str, ...]
    origin: Origin


@frozen_dataclass
class Opening:
    """The opening of the section of a case in the book: the general rule, "" if there is none, and the procedure.

    `parts` are headings with labels of rules, in the order of the book.
    """

    case: str
    rule: str
    procedure: tuple[str, ...]
    parts: tuple[tuple[str, tuple[str, ...]], ...]
    origin: Origin


@frozen_dataclass
class Layer:
    """A layer of the stack, lowest first in `Graph.layers`.

    `card` are the panels it adds to the sides of the quick-reference card: "sequence", charts, cases and terms. `see`
    maps words that a reader may look up to those that the rules use. `headings` are those of rules, rulings and terms
    in the book, by label or name. `numbers` are those that the book has assigned to things of this layer: "case",
    "rule", "ruling" or "retired"; the label; the number. `dates` are those of rulings that are older than the document
    which repeats them, by label. `index` are entries of the index of subjects: the subject, the sub-entry, "" if there
    is none, and the names of what it refers to, rules, rulings, cases, charts and terms, or "sequence". `asked` are
    search phrases for what has such a name, which are not printed. `phases` lists for phases by name the cases and
    charts that describe what is done in them. `authors` and `publisher` are those of the rules, "" if unknown.
    `faces` lists for kinds by name the factors on their counters: in four corners, below the name, above it.
    """

    name: str
    kind: str
    title: str
    on: tuple[str, ...]
    cites: tuple[str, ...]
    card: tuple[tuple[str, ...], ...] = ()
    see: tuple[tuple[str, tuple[str, ...]], ...] = ()
    openings: tuple[Opening, ...] = ()
    headings: tuple[tuple[str, str], ...] = ()
    numbers: tuple[tuple[str, str, str], ...] = ()
    dates: tuple[tuple[str, str], ...] = ()
    index: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    asked: tuple[tuple[str, tuple[str, ...]], ...] = ()
    phases: tuple[tuple[str, tuple[str, ...]], ...] = ()
    authors: tuple[str, ...] = ()
    publisher: str = ""
    faces: tuple[tuple[str, tuple[str, ...]], ...] = ()


@frozen_dataclass
class Document:
    """A source document: the ids it owns are prefix.section.01 and so on. `headings` are those of its sections.

    `date` is its publication date, a year, a month (2014-06) or a day (2013-04-05); "" if unknown.
    """

    prefix: str
    title: str
    edition: str
    sections: tuple[tuple[str, int], ...]
    headings: tuple[tuple[str, str], ...] = ()
    date: str = ""


@frozen_dataclass
class Aim:
    """A term over a side whose value greedy players raise, beside or instead of what they derive from the outcome.

    Without a `term` they follow the preferences of the rules, for the `reason`.
    """

    term: str
    replaces_outcome: bool
    reason: str


@frozen_dataclass
class Graph:
    """One compiled stack. `hash` is the SHA-256 of the canonical JSON of everything else."""

    version: int
    stack: str
    layers: tuple[Layer, ...]
    documents: tuple[Document, ...]
    vocabulary: Vocabulary
    terms: dict[str, Term]
    rules: dict[str, Rule]
    tables: dict[str, Table]
    counters: dict[str, Counter]
    procedures: dict[str, Procedure]  # keyed "sequence", "action:x", "resolution:x", "hook:event#n"
    outcome: str  # the term that ranks the result of a side, "" if the stack is not a whole game
    aims: tuple[Aim, ...]
    always: tuple[Always, ...]
    preconditions: tuple[Precondition, ...]
    cases: dict[str, Case]
    rulings: dict[str, Ruling]
    disputes: dict[str, Dispute]
    examples: tuple[Example, ...]
    scenario: Scenario | None
    hash: str
