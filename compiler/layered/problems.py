"""Problems of a stack: facts and the spans of all parties; their sentences are in report/words."""

from compiler.layered.amendment_problems import AmendedTwice, CannotAmend, LeavesUnbound, NoSuchStep
from compiler.source.span import LocatedProblem, Span
from runtime.graph.frozen_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class UnknownLayer(LocatedProblem):
    """A stack, or `on` of a layer, refers to an unknown layer. `span` is NOWHERE for the command line.

    `is_incompatible` if the layer is declared incompatible with it, which alone prevents nothing.
    """

    name: str
    candidates: tuple[str, ...]
    is_incompatible: bool = False


@dataclass(frozen=True, slots=True)
class LayerCycle:
    """Layers are based on, or above, each other in a cycle: `spans` are the declarations."""

    spans: tuple[Span, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LayersExclude(LocatedProblem):
    """A layer declares `not with` another that is loaded too; `below` if it is based on that one."""

    layer: str
    other: str
    below: bool = False


@dataclass(frozen=True, slots=True)
class LeavesOffNothing(LocatedProblem):
    """A stack excludes a layer that is no companion, or that is requested all the same (`is_loaded`).

    `dependents` are the chosen layers that are based on it; `companions` those that are included by default and could
    be excluded; `parties` the layers that load it together, if it is a joint layer that the stack does not request.
    """

    name: str
    dependents: tuple[str, ...]
    companions: tuple[str, ...]
    is_loaded: bool
    parties: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UnknownReading(LocatedProblem):
    """An unknown reading of a dispute, chosen by a stack or a layer; `reading` is "" if the dispute is unknown."""

    dispute: str
    reading: str
    candidates: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NoDefaultReading(LocatedProblem):
    """A dispute with no default reading, with several (`defaults`), or with only one reading."""

    dispute: str
    defaults: tuple[Span, ...] = ()
    is_single_reading: bool = False


@dataclass(frozen=True, slots=True)
class ReadingsAlike(LocatedProblem):
    """Two readings of a dispute contain the same rules."""

    first: Span
    reading: str
    first_reading: str


@dataclass(frozen=True, slots=True)
class ReadingChosenTwice(LocatedProblem):
    """Two layers, neither above the other, choose different readings of one dispute."""

    other: Span
    dispute: str
    layers: tuple[str, str]
    readings: tuple[str, str]


@dataclass(frozen=True, slots=True)
class CaseRenamed(LocatedProblem):
    """A case that is reopened has another title, or another number, than before."""

    first: Span
    label: str
    later: str
    earlier: str


@dataclass(frozen=True, slots=True)
class DuplicateLabel(LocatedProblem):
    """Two loaded rules, rulings, readings or cases share a label."""

    first: Span
    label: str


@dataclass(frozen=True, slots=True)
class UnknownLabel(LocatedProblem):
    """A relation refers to a label that is not in the stack.

    `candidates` are all labels; `labels_of_term` those of the other rules of the same term.
    """

    verb: str
    label: str
    candidates: tuple[str, ...]
    labels_of_term: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NamesUpward(LocatedProblem):
    """A rule refers to a label of a layer on which its layer is not based."""

    label: str
    target: Span
    layer: str
    target_layer: str


@dataclass(frozen=True, slots=True)
class SparesNothing(LocatedProblem):
    """An exception behind `but not` names a rule (at `target`) that forbids nothing of the other question."""

    target: Span
    label: str
    question: str


@dataclass(frozen=True, slots=True)
class RemovedTarget(LocatedProblem):
    """A relation refers to a rule that another loaded rule withdraws; `below`: its layer is below that of the other."""

    label: str
    target: Span
    remover: Span
    remover_label: str
    below: bool


@dataclass(frozen=True, slots=True)
class ReplacedTwice(LocatedProblem):
    """Two loaded rules replace or withdraw the same one."""

    other: Span
    label: str
    target: Span


@dataclass(frozen=True, slots=True)
class NothingToReplace(LocatedProblem):
    """The target of a procedure that replaces, or a rule that withdraws (`verb`), is missing or ambiguous.

    `match_count`: there are several. `layer` is the one layer that has it, "" if none or several do; `candidates` are
    names, or layers if ambiguous.
    """

    name: str
    layer: str
    candidates: tuple[str, ...]
    match_count: int = 0
    verb: str = "replace"


@dataclass(frozen=True, slots=True)
class ReplacementDiffers(LocatedProblem):
    """A replacement has other parameters than what it replaces: its callers pass those written `below`."""

    target: Span
    name: str
    below: str
    replacement: str


@dataclass(frozen=True, slots=True)
class StillNeeded(LocatedProblem):
    """A reference to something withdrawn that cannot be removed; `reference` describes the referring item and its use.

    A phase that is withdrawn `is_conditional` is referred to so where something lasts until its end.
    """

    target: Span
    name: str
    place: Span
    reference: str
    is_conditional: bool = False


@dataclass(frozen=True, slots=True)
class NotAsExpected(LocatedProblem):
    """`expecting` does not match the rule that is replaced, or `expect` the cell that is patched."""

    target: Span
    name: str
    expected: str
    found: str


@dataclass(frozen=True, slots=True)
class UnknownCell(LocatedProblem):
    """A patch refers to an unknown table, counter, column or cell; or an example to an unknown card (not `patched`).

    `near` are the cells that may be meant.
    """

    category: str
    name: str
    candidates: tuple[str, ...]
    patched: bool = True
    counters: bool = False  # what was taken for a table is a kind of piece
    near: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PatchedTwice(LocatedProblem):
    """Two layers, or one (`is_same_layer`), patch the same cell."""

    other: Span
    name: str
    is_same_layer: bool = False


@dataclass(frozen=True, slots=True)
class PatchesNothing(LocatedProblem):
    """A patch that sets a cell to its present value."""

    target: Span
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class InsertedTwice(LocatedProblem):
    """Two insertions at one place without a defined order."""

    other: Span
    name: str
    other_name: str
    anchor: str


@dataclass(frozen=True, slots=True)
class ExceptionCycle:
    """Rules that defeat each other in a cycle, or remove each other (`removes`), or a rule that refers to itself."""

    spans: tuple[Span, ...]
    labels: tuple[str, ...]
    removes: bool = False


@dataclass(frozen=True, slots=True)
class EmptyTarget(LocatedProblem):
    """An exception or suppression of a group that contains no rule it could defeat.

    `reason`: "own layer" if a group is withdrawn that has rules of the same layer alone; "removal" if the target of an
    exception only removes others.
    """

    label: str
    target: Span
    reason: str = ""


@dataclass(frozen=True, slots=True)
class WrongTarget(LocatedProblem):
    """An exception that concludes on another term than its target, or `suppresses` of a rule that contributes nothing.

    `verdict` is the verdict of a target that is suppressed although it contributes nothing.
    """

    label: str
    target: Span
    target_label: str
    concludes_on: str
    target_concludes_on: str
    verdict: str = ""


@dataclass(frozen=True, slots=True)
class ExampleElsewhere(LocatedProblem):
    """An example that runs under a stack without its layer, so that it would never run."""

    stack: str
    layer: str


@dataclass(frozen=True, slots=True)
class UnknownSource(LocatedProblem):
    """A citation names a document, a section or an item (`missing`) that the registry does not have."""

    cite: str
    missing: str
    candidates: tuple[str, ...]
    items: int = 0  # of the section; 0 where it is not the section that has too few


@dataclass(frozen=True, slots=True)
class DuplicateTable(LocatedProblem):
    """Two tables, counters or values of one name; `table` has the column, or is the value that stands there."""

    first: Span
    category: str
    name: str
    table: str = ""


# Problems of the targets of rules, patches and citations, not of declarations: the rest can be typed.
ReferenceProblem = (
    ReadingsAlike | CaseRenamed | UnknownLabel | NamesUpward | RemovedTarget | ReplacedTwice | NothingToReplace
    | NotAsExpected | UnknownCell | PatchedTwice | PatchesNothing | ExceptionCycle | EmptyTarget | WrongTarget
    | ExampleElsewhere | UnknownSource
)  # fmt: skip

# Warnings: a stack with no other problem is compiled.
LayeringWarning = ReadingsAlike | SparesNothing | PatchesNothing

Problem = (
    ReferenceProblem | ReplacementDiffers | StillNeeded | NoSuchStep | AmendedTwice | CannotAmend | LeavesUnbound
    | UnknownLayer | LayerCycle | LayersExclude | LeavesOffNothing | UnknownReading | NoDefaultReading
    | ReadingChosenTwice | DuplicateLabel | InsertedTwice
    | DuplicateTable | SparesNothing
)  # fmt: skip
