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
        return Sentence(
            f"`{self.label}` forbids nothing of `{self.question}`, so there is nothing to leave out",
            (Label(self.span, "left out here"), Label(self.target, f"`{self.label}`")),
            f"name a rule that forbids `{self.question}`, or leave the exception out",
        )


@finding("R0309", "removed-target")
class RemovedTarget(LocatedFinding, ReferenceFinding):
    """A relation refers to a rule that another loaded rule withdraws; `below`: its layer is below that of the other."""

    label: str
    target: Span
    remover: Span
    remover_label: str
    below: bool

    def sentence(self) -> Sentence:
        parties = (
            Label(self.remover, f"`{self.remover_label}` withdraws it"),
            Label(self.span, f"names `{self.label}`"),
        )
        return Sentence(
            f"`{self.label}` is not in force: `{self.remover_label}` withdraws it",
            # A layer that withdraws a rule below it has to handle the rules that depend on it.
            (*(parties if self.below else reversed(parties)), Label(self.target, f"`{self.label}`")),
            f"{'withdraw what names it as well' if self.below else 'drop one of the two'}, "
            f"or write an exception to `{self.label}` instead of withdrawing it",
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
        if self.reason == "own layer":
            message = f"`{self.label}` holds no rule of a layer below, so nothing is removed"
            return Sentence(
                message,
                (Label(self.span, "removed here"), Label(self.target, f"`{self.label}`")),
                "delete what is not to hold",
            )
        if self.reason == "removal":
            message = f"`{self.label}` only confirms, changes or removes others, so an exception to it does nothing"
            advice = f"withdraw `{self.label}`, or make an exception to what holds in its stead"
            return Sentence(message, (Label(self.span, "aims at it"), Label(self.target, f"`{self.label}`")), advice)
        message = f"`{self.label}` holds no rule that could be defeated here"
        advice = "name the rule that should fall silent"
        return Sentence(message, (Label(self.span, "aims at it"), Label(self.target, f"`{self.label}`")), advice)


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
        if self.verdict:
            return Sentence(
                f"`{self.target_label}` adds nothing to a sum, min, max or set, so it cannot be suppressed",
                (
                    Label(self.span, "suppressed here"),
                    Label(self.target, f"says that `{self.target_concludes_on}` {_saying(self.verdict)}"),
                ),
                f"write `exception to {self.target_label}`",
            )
        note = f"`{self.label}` speaks on `{self.concludes_on}`" if self.concludes_on else "aims at it"
        about = f"`{self.target_concludes_on}`" if self.target_concludes_on else "no term"
        message = f"`{self.label}` cannot defeat `{self.target_label}`, which speaks on {about}"
        labels = (Label(self.span, note), Label(self.target, f"`{self.target_label}` speaks on {about}"))
        advice = "name a rule of the same term; `suppresses` is for contributions to a sum, min, max or set"
        return Sentence(message, labels, advice, names=(self.target_label,))


@finding("R0315", "exception-cycle")
class ExceptionCycle(ReferenceFinding):
    """Rules that defeat each other in a cycle, or remove each other (`removes`), or a rule that refers to itself."""

    spans: tuple[Span, ...]
    labels: tuple[str, ...]
    removes: bool = False

    def sentence(self) -> Sentence:
        if len(self.spans) == len(self.labels) == 1:
            label = Label(self.spans[0], "names its own rule")
            advice = "name the rule that it changes, or delete the line"
            return Sentence(f"`{self.labels[0]}` cannot be related to itself", (label,), advice)
        does, taken_back = ("remove", "removal") if self.removes else ("defeat", "exception")
        return Sentence(
            f"{list_words(self.labels, 'and')} {does} each other in a circle",
            tuple(Label(span, f"`{name}`") for span, name in zip(self.spans, self.labels, strict=False)),
            f"decide which of them wins where both apply, and take back the other {taken_back}",
            root=" ".join(sorted(self.labels)),
        )


def _saying(verb: str) -> str:
    return f"is {verb}" if verb in {"allowed", "forbidden"} else "is so much" if verb == "is" else verb
