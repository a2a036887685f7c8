"""Labels that are taken, unknown or out of reach."""

from compiler.layered.findings.reference import ReferenceFinding
from compiler.source.finding import LocatedFinding, finding
from compiler.source.sentence import Label, Sentence, backquoted, did_you_mean, suggestion_text
from compiler.source.span import Span
from compiler.source.suggestions import nearest_names


@finding("R0306", "duplicate-label")
class DuplicateLabel(LocatedFinding):
    """Two loaded rules, rulings, readings or cases share a label."""

    first: Span
    label: str

    def sentence(self) -> Sentence:
        labels = (Label(self.span, "again here"), Label(self.first, "first used here"))
        advice = "labels are unique in a stack: choose another, or write `replaces` if it should take the place"
        return Sentence(f"the label `{self.label}` is taken", labels, advice, root=f"label {self.label}")


@finding("R0322", "case-renamed")
class CaseRenamed(LocatedFinding, ReferenceFinding):
    """A case that is reopened has another title, or another number, than before."""

    first: Span
    label: str
    later: str
    earlier: str

    def sentence(self) -> Sentence:
        labels = (
            Label(self.span, f"here it is {backquoted(self.later)}"),
            Label(self.first, f"here it is {backquoted(self.earlier)}"),
        )
        advice = "leave title and number out where a case is only opened again, or choose another label"
        return Sentence(f"the case `{self.label}` has two headings", labels, advice, root=f"label {self.label}")


@finding("R0310", "replaced-twice")
class ReplacedTwice(LocatedFinding, ReferenceFinding):
    """Two loaded rules replace or withdraw the same one."""

    other: Span
    label: str
    target: Span

    def sentence(self) -> Sentence:
        message = f"`{self.label}` is replaced or withdrawn twice"
        parties = (
            Label(self.span, "removed here"),
            Label(self.other, "and here"),
            Label(self.target, f"`{self.label}`"),
        )
        return Sentence(
            message, parties, "keep one, or settle it in a joint layer on both", root=f"removed {self.label}"
        )


@finding("R0307", "unknown-label")
class UnknownLabel(LocatedFinding, ReferenceFinding):
    """A relation refers to a label that is not in the stack.

    `candidates` are all labels; `labels_of_term` those of the other rules of the same term.
    """

    verb: str
    label: str
    candidates: tuple[str, ...]
    labels_of_term: tuple[str, ...] = ()

    def sentence(self) -> Sentence:
        others = "the other rules on the same question are"
        advice = "a relation names a label of its own layer or of one below it"
        close = did_you_mean(nearest_names(self.label, self.candidates))
        return self.sentence_here(
            f"there is no rule, ruling or case labeled `{self.label}`",
            "named here",
            close or suggestion_text(self.label, self.labels_of_term, others, advice) or advice,
            root=f"label {self.label}",
            names=(self.label,),
        )


@finding("R0308", "names-upward")
class NamesUpward(LocatedFinding, ReferenceFinding):
    """A rule refers to a label of a layer on which its layer is not based."""

    label: str
    target: Span
    layer: str
    target_layer: str

    def sentence(self) -> Sentence:
        message = f"`{self.layer}` does not stand on `{self.target_layer}`, so its rules cannot name `{self.label}`"
        labels = (
            Label(self.span, f"named in `{self.layer}`"),
            Label(self.target, f"`{self.label}` belongs to `{self.target_layer}`"),
        )
        return Sentence(message, labels, f"put the rule into `{self.target_layer}`, or into a joint layer on both")
