"""Problems of a stack: facts and the spans of all parties; the words are in report/words."""

from compiler.layered.amendment_problems import AmendedTwice, CannotAmend, LeavesUnbound, NoSuchStep
from compiler.layered.title_problems import UnrelatedTitle
from compiler.source.span import Span
from runtime.graph.frozen_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class UnknownLayer:
    """A stack or a layer's `on` names an unknown layer. `span` is NOWHERE for the command line.

    `apart` if it is named as one that does not go together with the layer: that alone prevents nothing.
    """

    span: Span
    name: str
    candidates: tuple[str, ...]
    apart: bool = False


@dataclass(frozen=True, slots=True)
class LayerCycle:
    """Layers stand on, or above, each other in a circle: `spans` are where they say so."""

    spans: tuple[Span, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LayersExclude:
    """A layer declares `not with` another that is loaded too; `below` if it stands on that one itself."""

    span: Span
    layer: str
    other: str
    below: bool = False


@dataclass(frozen=True, slots=True)
class LeavesOffNothing:
    """A stack leaves off a layer that does not come along, or that is asked for all the same (`loaded`).

    `needed` are the chosen layers that stand on it; `along` those that come along by default and could be left off.
    """

    span: Span
    name: str
    needed: tuple[str, ...]
    along: tuple[str, ...]
    loaded: bool


@dataclass(frozen=True, slots=True)
class UnknownReading:
    """A stack or a layer's `readings` chooses what is no reading of that dispute.

    `reading` is "" if there is no such dispute.
    """

    span: Span
    dispute: str
    reading: str
    candidates: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NoDefaultReading:
    """A dispute says of no reading (or of several, then `defaults`) that it is the default; or it has but one."""

    span: Span
    dispute: str
    defaults: tuple[Span, ...] = ()
    alone: bool = False


@dataclass(frozen=True, slots=True)
class ReadingsAlike:
    """Two readings of a dispute hold the same rules."""

    span: Span
    first: Span
    reading: str
    first_reading: str


@dataclass(frozen=True, slots=True)
class ReadingChosenTwice:
    """Two layers, neither above the other, choose different readings of one dispute."""

    span: Span
    other: Span
    dispute: str
    layers: tuple[str, str]
    readings: tuple[str, str]


@dataclass(frozen=True, slots=True)
class CaseRenamed:
    """A case that is opened again gets another title, or another number, than before."""

    span: Span
    first: Span
    label: str
    now: str
    before: str


@dataclass(frozen=True, slots=True)
class DuplicateLabel:
    """Two loaded rules, rulings, readings or cases share a label."""

    span: Span
    first: Span
    label: str


@dataclass(frozen=True, slots=True)
class UnknownLabel:
    """A relation names a label that is not in the stack.

    `candidates` are all labels there are; `beside` those of the other rules on the same question.
    """

    span: Span
    verb: str
    label: str
    candidates: tuple[str, ...]
    beside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NamesUpward:
    """A rule names a label of a layer its own layer does not stand on."""

    span: Span
    label: str
    target: Span
    layer: str
    target_layer: str


@dataclass(frozen=True, slots=True)
class RemovedTarget:
    """A relation names a rule that another loaded rule withdraws; `below`: it stands below the one that withdraws."""

    span: Span
    label: str
    target: Span
    remover: Span
    remover_label: str
    below: bool


@dataclass(frozen=True, slots=True)
class ReplacedTwice:
    """Two loaded rules replace or withdraw the same one."""

    span: Span
    other: Span
    label: str
    target: Span


@dataclass(frozen=True, slots=True)
class NothingToReplace:
    """The target of a procedure that replaces, or a rule that withdraws (`verb`), is missing, or there are `several`.

    `layer` is the one layer that has it, "" if none or several do; `candidates` are names, or layers if several.
    """

    span: Span
    what: str
    layer: str
    candidates: tuple[str, ...]
    several: int = 0
    verb: str = "replace"


@dataclass(frozen=True, slots=True)
class ReplacementDiffers:
    """A replacement has other parameters than what it replaces: its callers pass those written `below`."""

    span: Span
    target: Span
    what: str
    below: str
    now: str


@dataclass(frozen=True, slots=True)
class StillNeeded:
    """Something withdrawn is named where it cannot be left out; `who` says by what and for what.

    A phase that is left out `sometimes` is named so where something lasts until its end.
    """

    span: Span
    target: Span
    what: str
    place: Span
    who: str
    sometimes: bool = False


@dataclass(frozen=True, slots=True)
class NotAsExpected:
    """`expecting` does not fit the rule it replaces, or `expect` not the cell it patches."""

    span: Span
    target: Span
    what: str
    expected: str
    found: str


@dataclass(frozen=True, slots=True)
class UnknownCell:
    """A patch names a table, counter, column or cell that is not there; or an example names a card (not `patched`)."""

    span: Span
    what: str
    name: str
    candidates: tuple[str, ...]
    patched: bool = True
    counters: bool = False  # what was taken for a table is a kind of piece


@dataclass(frozen=True, slots=True)
class PatchedTwice:
    """Two layers, or one (`alone`), patch the same cell."""

    span: Span
    other: Span
    what: str
    alone: bool = False


@dataclass(frozen=True, slots=True)
class PatchesNothing:
    """A patch puts what stands there already."""

    span: Span
    target: Span
    what: str
    value: str


@dataclass(frozen=True, slots=True)
class LeadsNowhere:
    """`see:` of a layer leads to a word that stands in no text in reach."""

    span: Span
    word: str
    near: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CardsAlike:
    """Two situation cards agree in `what`, in which all others of their game differ: one of them was copied."""

    span: Span
    first: Span
    cards: tuple[str, str]
    what: str


@dataclass(frozen=True, slots=True)
class ReadingsAgree:
    """Two `readings` of a dispute come to the same in every position: the one that is followed, and another."""

    span: Span
    chosen: Span
    dispute: str
    readings: tuple[str, str]


@dataclass(frozen=True, slots=True)
class InsertedTwice:
    """Two insertions at one place, and nothing says which of them comes first."""

    span: Span
    other: Span
    name: str
    other_name: str
    anchor: str


@dataclass(frozen=True, slots=True)
class ExceptionCycle:
    """Rules that defeat each other in a circle, or one that names itself."""

    spans: tuple[Span, ...]
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AimsAtNothing:
    """An exception or suppression whose group holds no rule it could defeat."""

    span: Span
    label: str
    target: Span


@dataclass(frozen=True, slots=True)
class WrongTarget:
    """An exception that concludes on another term than its target, or `suppresses` what is no contribution.

    `verdict` is what the target says when it is suppressed and contributes nothing.
    """

    span: Span
    label: str
    target: Span
    target_label: str
    concludes_on: str
    target_concludes_on: str
    verdict: str = ""


@dataclass(frozen=True, slots=True)
class ExampleElsewhere:
    """An example runs under a stack that does not load the layer it stands in, so it would never run."""

    span: Span
    stack: str
    layer: str


@dataclass(frozen=True, slots=True)
class UnknownSource:
    """A citation names a document, a section or an item (`missing`) that the registry does not have."""

    span: Span
    cite: str
    missing: str
    candidates: tuple[str, ...]
    items: int = 0  # of the section; 0 where it is not the section that has too few


@dataclass(frozen=True, slots=True)
class DuplicateTable:
    """Two tables, counters or values of one name; `table` has the column, or is the value that stands there."""

    span: Span
    first: Span
    what: str
    name: str
    table: str = ""


# What is wrong with what rules, patches and citations point at, not with what is declared: the rest can be typed.
Pointing = (
    ReadingsAlike
    | CaseRenamed
    | UnknownLabel
    | NamesUpward
    | RemovedTarget
    | ReplacedTwice
    | NothingToReplace
    | NotAsExpected
    | UnknownCell
    | PatchedTwice
    | PatchesNothing
    | ExceptionCycle
    | AimsAtNothing
    | WrongTarget
    | ExampleElsewhere
    | UnknownSource
)

# Suspicions, which are no errors: a stack with nothing else against it is compiled.
Suspicion = ReadingsAlike | PatchesNothing | LeadsNowhere | CardsAlike | UnrelatedTitle

Problem = (
    Pointing
    | ReplacementDiffers
    | StillNeeded
    | NoSuchStep
    | AmendedTwice
    | CannotAmend
    | LeavesUnbound
    | UnknownLayer
    | LayerCycle
    | LayersExclude
    | LeavesOffNothing
    | UnknownReading
    | NoDefaultReading
    | ReadingChosenTwice
    | DuplicateLabel
    | LeadsNowhere
    | UnrelatedTitle
    | CardsAlike
    | ReadingsAgree
    | InsertedTwice
    | DuplicateTable
)
