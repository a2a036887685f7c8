"""An assembled stack: the loaded statements, their layers, and the defeat relation between rules.

Unlike in the source stage, relations are edges instead of labels, tables and unit charts are patched, and rules of
readings that are not chosen are absent. Names inside expressions are still unresolved.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from compiler.source import nodes as source
from compiler.source.span import Span
from runtime.graph.frozen_dataclass import frozen_dataclass

T = TypeVar("T")


@frozen_dataclass
class LayerStatement(Generic[T]):
    """A statement and its layer."""

    layer: str
    node: T


# Declarations and procedures, by the class of the statement.
Kinds = Mapping[type, Sequence[LayerStatement[Any]]]


@frozen_dataclass
class Rule:
    """A loaded rule. `concludes_on` is the term that it concludes on ("hex.marsh" for a flag), "" if none.

    `defeats` contains labels of loaded rules, with groups expanded and replaced rules renamed; which of them apply to
    which term is determined with the types.
    """

    layer: str
    node: source.Rule
    concludes_on: str
    case: str
    ruling: str
    reading: str
    defeats: tuple[str, ...]


@frozen_dataclass
class Beside:
    """A term that stands beside another, with the labels of the rules in force that its author names as exceptions."""

    layer: str
    node: source.StandsBeside
    excepted: tuple[str, ...]


@frozen_dataclass
class Ruling:
    """A ruling, the labels of its loaded rules and of those that it clarifies.

    `concerns` are procedures, as `action:x`.
    """

    layer: str
    node: source.Ruling
    rules: tuple[str, ...]
    clarifies: tuple[str, ...]
    concerns: tuple[str, ...]


@frozen_dataclass
class Dispute:
    """A dispute and the label of the reading this stack follows; `others` are the rules of the other readings."""

    layer: str
    node: source.Dispute
    chosen: str
    others: tuple[Rule, ...]


@frozen_dataclass
class Case:
    """A heading. The lowest layer that opens it determines title and number."""

    layer: str
    label: str
    title: str
    number: str
    parent: str
    span: Span


@frozen_dataclass
class Example:
    """An example with the rule, ruling or reading that it follows."""

    layer: str
    node: source.Example
    protects: str


# The name of a stack inside this one, and its examples at one site.
NamedExamples = tuple[str, tuple[Example, ...]]


@frozen_dataclass
class Table:
    """A chart with all its patches applied; each row has its layer."""

    layer: str
    node: source.Table
    rows: tuple[LayerStatement[source.Row], ...]


@frozen_dataclass
class AddedValue:
    """A value of a factor that a layer added to a kind: which layer gives it to a counter, where, by what sources."""

    layer: str
    column: source.Word
    value: source.Scalar
    cites: tuple[source.Word, ...]


@frozen_dataclass
class Counter:
    """A line of the unit chart, patched; `added` are values of added factors that do not stand in its own row."""

    layer: str
    kind: source.Word
    node: source.Counter
    cites: tuple[source.Word, ...]
    singled_out: bool  # whether the row, or a patch of it, has citations of its own
    added: tuple[AddedValue, ...] = ()


@frozen_dataclass
class CardChange:
    """A number on a card that a layer changed: the layer, the place of the force on the card, the old number."""

    layer: str
    force: int
    unit: str
    was: int
    cites: tuple[source.Word, ...]
    span: Span


@frozen_dataclass
class ChangedPart:
    """A part of a card that a layer changed: the layer, its key and title, the old part, and its name."""

    layer: str
    key: tuple[Hashable, ...]
    title: str
    was: Any
    name: source.Word
    cites: tuple[source.Word, ...]
    span: Span


@frozen_dataclass
class DisplacedDeclaration:
    """A declaration that was replaced or withdrawn, by its key, as `resolution:shake`, with the layer and place.

    `below` is the old declaration, `now` the new one; None if it is withdrawn.
    """

    key: str
    layer: str
    span: Span
    below: LayerStatement[Any]
    now: source.Conduct | None


@frozen_dataclass
class LayeredStack:
    """The statements that one stack loads, lowest layer first; `above` are the declarations of that name.

    Declarations and procedures are stored twice: by layer, a card on top as the last, and by kind.
    """

    name: str
    layers: tuple[source.Layer, ...]
    above: Mapping[str, frozenset[str]]
    documents: tuple[source.Document, ...]
    statements: Mapping[str, tuple[LayerStatement[Any], ...]]
    kinds: Kinds
    conduct: tuple[LayerStatement[source.Conduct], ...]
    rules: dict[str, Rule]
    beside: tuple[Beside, ...]
    rulings: dict[str, Ruling]
    action_rules: tuple[Rule, ...]  # rules about procedures
    disputes: dict[str, Dispute]
    cases: dict[str, Case]
    examples: tuple[Example, ...]
    inner: tuple[NamedExamples, ...]
    shared_example_layers: frozenset[str]  # the layers that contain examples for other stacks as well
    tables: dict[str, Table]
    counters: dict[str, Counter]
    scenario: source.Scenario | None
    changed: tuple[CardChange, ...]  # numbers on that card, by the layers below it
    parts: tuple[ChangedPart, ...]  # and other parts of it
    labels: frozenset[str]  # of all laws, withdrawn ones and readings that were not chosen too
    removed_by: Mapping[str, str]  # laws and cases that are not in force, with the rule that withdraws or replaces them
    books: Mapping[str, tuple[source.Book, ...]]  # by layer
    displaced: tuple[DisplacedDeclaration, ...]  # procedures that are replaced or withdrawn

    def statements_of(self, kind: type[T]) -> Sequence[LayerStatement[T]]:
        """Return the statements of one kind; stages that are anchored at each other are in that order."""
        return self.kinds.get(kind, ())
