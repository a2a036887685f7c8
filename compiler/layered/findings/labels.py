"""Labels that are taken, unknown or out of reach."""

from compiler.layered.findings.reference import ReferenceFinding
from compiler.source.finding import LocatedFinding, finding
from compiler.source.sentence import Label, Sentence, copy_root, did_you_mean, suggestion_text
from compiler.source.span import Span
from compiler.source.suggestions import nearest_names


@finding("R0306", "duplicate-label")
class DuplicateLabel(LocatedFinding):
    """Two loaded rules, rulings, readings or cases share a label."""

    first: Span
    label: str

    def sentence(self) -> Sentence:
        advice = "delete or rename one of the two, or write `replaces` in the second if it is to replace the first"
        message = f"`{self.label}` is declared twice"
        first = Label(self.first, "first here")
        root = copy_root(self.span, self.first, f"label {self.label}")
        return self.sentence_here(message, "again here", advice, first, root=root)


@finding("R0322", "case-renamed")
class CaseRenamed(LocatedFinding, ReferenceFinding):
    """A case that is reopened has another title, or another number, than before."""

    first: Span
    label: str
    later: str
    earlier: str

    def sentence(self) -> Sentence:
        message = f"the case `{self.label}` has two headings, `{self.earlier}` and `{self.later}`"
        advice = "leave out the heading where the case is only opened again, or choose another label"
        first = Label(self.first, "the first")
        return self.sentence_here(message, "the second", advice, first, root=f"label {self.label}")


@finding("R0310", "replaced-twice")
class ReplacedTwice(LocatedFinding, ReferenceFinding):
    """Two loaded rules replace or withdraw the same one."""

    other: Span
    label: str
    target: Span

    def sentence(self) -> Sentence:
        message = f"`{self.label}` is replaced or withdrawn twice"
        advice = "keep one of the two, or decide between them in a layer that is based on the layers of both"
        others = Label(self.other, "and here"), Label(self.target, f"`{self.label}`")
        return self.sentence_here(message, "removed here", advice, *others, root=f"removed {self.label}")


@finding("R0307", "unknown-label")
class UnknownLabel(LocatedFinding, ReferenceFinding):
    """A relation refers to a label that is not in the stack.

    `candidates` are all labels; `labels_of_term` those of the other rules of the same term.
    """

    label: str
    candidates: tuple[str, ...]
    labels_of_term: tuple[str, ...] = ()

    def sentence(self) -> Sentence:
        others = "the other rules on the same question are"
        advice = "name a rule of this layer, or of one on which it is based"
        return self.sentence_here(
            f"there is no rule `{self.label}`",
            "named here",
            did_you_mean(nearest_names(self.label, self.candidates))
            or suggestion_text(self.label, self.labels_of_term, others, advice),
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
        layer, upper = self.layer, self.target_layer
        message = f"this rule of `{layer}` cannot name `{self.label}` of `{upper}`, as `{layer}` is not based on it"
        advice = f"move this rule to `{upper}`, or to a layer that is based on both"
        return self.sentence_here(message, "named here", advice, Label(self.target, f"`{self.label}`"))
