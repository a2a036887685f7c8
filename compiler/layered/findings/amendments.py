"""Amendments of steps."""

from compiler.source.finding import LocatedFinding, finding
from compiler.source.sentence import MOST_NAMES, Label, Sentence, did_you_mean, list_words
from compiler.source.span import Span
from compiler.source.suggestions import nearest_names


@finding("R0331", "no-such-step")
class NoSuchStep(LocatedFinding):
    """A step that a rule amends is not in the procedure, or is ambiguous: `matches` are the places of those found.

    `candidates` are the names of its steps; `has_place`: the selector states which of the matches it is.
    """

    step: str
    within: str
    candidates: tuple[str, ...]
    matches: tuple[Span, ...] = ()
    has_place: bool = False

    def sentence(self) -> Sentence:
        if self.matches and self.has_place:
            return Sentence(
                f"`{self.within}` has fewer steps `{self.step}` than that",
                (
                    Label(self.span, f"it has {len(self.matches)}"),
                    *(Label(each, f"number {number}") for number, each in enumerate(self.matches, 1)),
                ),
                f"write which of them it is, as `the first {self.step}`",
                root=f"{self.within} {self.step}",
            )
        if self.matches:
            return Sentence(
                f"`{self.step}` of `{self.within}` may be any of {len(self.matches)} steps",
                (
                    Label(self.span, "which one is meant cannot be told"),
                    *(Label(each, f"number {number}") for number, each in enumerate(self.matches, 1)),
                ),
                (
                    "write what it is done with as well, or which one it is, in the place of `step`: `the "
                    f"first {self.step}`"
                ),
                root=f"{self.within} {self.step}",
            )
        close = did_you_mean(nearest_names(self.step, self.candidates))
        message = f"`{self.within}` has no step `{self.step}`"
        advice = close or _steps_text(self.step, self.within, self.candidates)
        return self.sentence_here(message, "named here", advice, root=f"{self.within} {self.step}")


@finding("R0332", "amended-twice")
class AmendedTwice(LocatedFinding):
    """Two rules amend the same step or procedure, and neither of their layers is based on the other."""

    other: Span
    name: str
    target: Span

    def sentence(self) -> Sentence:
        message = f"`{self.name}` is changed by two rules, and nothing says how they go together"
        labels = (Label(self.span, "changed here"), Label(self.other, "and here"), Label(self.target, f"`{self.name}`"))
        advice = "make one rule of both; or, where they are of two layers, settle it in a layer that stands on both"
        return Sentence(message, labels, advice, root=f"changed {self.name}")


@finding("R0333", "cannot-amend")
class CannotAmend(LocatedFinding):
    """An amendment of a procedure that is meaningless: `message` and `advice` are whole sentences."""

    target: Span
    message: str
    advice: str

    def sentence(self) -> Sentence:
        return Sentence(self.message, (Label(self.span, "changed here"), Label(self.target, "this")), self.advice)


@finding("R0334", "leaves-unbound")
class LeavesUnbound(LocatedFinding):
    """After an amendment a step uses a name before it is bound; `binding` is where it is bound, if anywhere."""

    use: Span
    name: str
    binding: Span | None

    def sentence(self) -> Sentence:
        binding_labels = () if self.binding is None else (Label(self.binding, f"`{self.name}` is given here"),)
        message = f"after this change `{self.name}` is used where nothing has given it yet"
        labels = (Label(self.span, "changed here"), Label(self.use, f"uses `{self.name}`"), *binding_labels)
        advice = f"keep what gives `{self.name}` before this step, outside of any `if`, or replace both"
        return Sentence(message, labels, advice, root=f"{self.name} {self.use}")


def _steps_text(step: str, within: str, candidates: tuple[str, ...]) -> str:
    """List the steps that begin with the same word; without one all, or the first ones."""
    if not candidates:
        return f"`{within}` has no steps that could be named"
    same_word = tuple(each for each in candidates if each.split()[0] == step.split(maxsplit=1)[0])
    return f"there are {list_words(same_word or candidates, 'and', MOST_NAMES)}"
