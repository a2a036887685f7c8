"""Exceptions, suppressions and removals whose target does not fit."""

from compiler.layered.findings.reference import ReferenceFinding
from compiler.source.finding import WARNING, LocatedFinding, finding
from compiler.source.sentence import Label, Sentence, list_words
from compiler.source.span import Span


@finding("R0335", "spares-nothing", WARNING)
class SparesNothing(LocatedFinding):
    """An exception behind `but not` names a rule (at `target`) that forbids nothing of the other question."""

    target: Span
    label: str
    question: str

    def sentence(self) -> Sentence:
        message = f"`but not {self.label}` has no effect: `{self.label}` is no prohibition of `{self.question}`"
        advice = f"name a rule that forbids `{self.question}`, or delete `but not {self.label}`"
        return self.sentence_here(message, "named here", advice, Label(self.target, f"`{self.label}`"))


@finding("R0309", "removed-target")
class RemovedTarget(LocatedFinding, ReferenceFinding):
    """A relation refers to a rule that another loaded rule withdraws; `below`: its layer is below that of the other."""

    label: str
    target: Span
    remover: Span
    remover_label: str
    below: bool

    def sentence(self) -> Sentence:
        parties = Label(self.remover, "withdrawn here"), Label(self.span, "named here")
        return Sentence(
            f"`{self.label}` is named here, but `{self.remover_label}` withdraws it",
            # A layer that withdraws a rule below it has to handle the rules that depend on it.
            (*(parties if self.below else reversed(parties)), Label(self.target, f"`{self.label}`")),
            f"{'withdraw what names it as well' if self.below else 'delete one of the two'}, "
            f"or make `{self.remover_label}` an exception to `{self.label}`",
            root=f"withdrawn {self.label}",
        )


@finding("R0316", "aims-at-nothing")
class EmptyTarget(LocatedFinding, ReferenceFinding):
    """An exception or suppression of a group that contains no rule it could defeat.

    `reason`: "own layer" if a group is withdrawn that has rules of the same layer alone; "removal" if the target of an
    exception only removes others.
    """

    label: str
    target: Span
    reason: str = ""

    def sentence(self) -> Sentence:
        label = self.label
        message = f"`{label}` contains no rule that this one could overrule"
        advice = "name the rule that is to give way"
        if self.reason == "own layer":
            message = f"`{label}` contains no rule of a lower layer, so nothing is removed"
            advice = "delete the rules that are not to apply"
        elif self.reason == "removal":
            message = f"`{label}` only changes or removes other rules, so an exception to it has no effect"
            advice = f"withdraw `{label}`, or write an exception to the rule that applies in its place"
        return self.sentence_here(message, "named here", advice, Label(self.target, f"`{label}`"))


@finding("R0317", "wrong-target")
class WrongTarget(LocatedFinding, ReferenceFinding):
    """An exception that concludes on another term than its target, or `suppresses` of a rule that contributes nothing.

    `verdict` is the verdict of a target that is suppressed although it contributes nothing.
    """

    label: str
    target: Span
    target_label: str
    concludes_on: str
    target_concludes_on: str
    verdict: str = ""

    def sentence(self) -> Sentence:
        name, own_term, term = self.target_label, self.concludes_on, self.target_concludes_on
        answers = f"answers `{term}`" if term else "answers no question"
        message = f"`{self.label}` cannot overrule `{name}`, which {answers}"
        advice = f"name a rule that answers `{own_term}`" if own_term else "name a rule that answers a question"
        note = f"`{self.label}` answers `{own_term}`" if own_term else "named here"
        names: tuple[str, ...] = (name,)
        if self.verdict:
            message = f"`{name}` cannot be suppressed, as it adds nothing to a sum, min, max or set"
            advice, note, names = f"write `exception to {name}`", "named here", ()
        return self.sentence_here(message, note, advice, Label(self.target, f"`{name}` {answers}"), names=names)


@finding("R0315", "exception-cycle")
class ExceptionCycle(ReferenceFinding):
    """Rules that defeat each other in a cycle, or remove each other (`removes`), or a rule that refers to itself."""

    spans: tuple[Span, ...]
    labels: tuple[str, ...]
    removes: bool = False

    def sentence(self) -> Sentence:
        names = list_words(self.labels, "and")
        message = f"{names} {'remove' if self.removes else 'overrule'} each other"
        advice = "delete one of these relations"
        if len(self.spans) == len(self.labels) == 1:
            message, advice = f"{names} names itself", "name the rule that it changes, or delete the line"
        places = zip(self.spans, self.labels, strict=False)
        labels = tuple(Label(span, f"`{name}`") for span, name in places)
        return Sentence(message, labels, advice, root=" ".join(sorted(self.labels)))
