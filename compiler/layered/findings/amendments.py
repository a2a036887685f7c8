"""Amendments of steps."""

from compiler.source.finding import LocatedFinding, finding
from compiler.source.sentence import MOST_NAMES, Label, Sentence, did_you_mean, list_words
from compiler.source.span import Span
from compiler.source.suggestions import nearest_names
from runtime.graph.words import counted_noun


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
        message = f"`{self.within}` has no step `{self.step}`"
        near_names = nearest_names(self.step, self.candidates)
        advice = did_you_mean(near_names, _steps_text(self.step, self.within, self.candidates))
        if self.matches:
            only = "only " if self.has_place else ""
            message = f"`{self.within}` has {only}{counted_noun(len(self.matches), 'step')} `{self.step}`"
            advice = f"say which of them is meant, as in `the first {self.step}`"
        matches = (Label(each, f"number {number}") for number, each in enumerate(self.matches, 1))
        return self.sentence_here(message, "named here", advice, *matches, root=f"{self.within} {self.step}")


@finding("R0332", "amended-twice")
class AmendedTwice(LocatedFinding):
    """Two rules amend the same step or procedure, and neither of their layers is based on the other."""

    other: Span
    name: str
    target: Span

    def sentence(self) -> Sentence:
        message = f"two rules change `{self.name}`, and neither takes account of the other"
        advice = "make one rule of both, in a layer that is based on the layers of both"
        others = Label(self.other, "and here"), Label(self.target, f"`{self.name}`")
        return self.sentence_here(message, "changed here", advice, *others, root=f"changed {self.name}")


@finding("R0333", "cannot-amend")
class CannotAmend(LocatedFinding):
    """An amendment of a procedure that is meaningless: `message` and `advice` are whole sentences."""

    target: Span
    message: str
    advice: str

    def sentence(self) -> Sentence:
        return self.sentence_here(self.message, "changed here", self.advice, Label(self.target, "the original"))


@finding("R0334", "leaves-unbound")
class LeavesUnbound(LocatedFinding):
    """After an amendment a step uses a name before it is bound; `binding` is where it is bound, if anywhere."""

    use: Span
    name: str
    binding: Span | None

    def sentence(self) -> Sentence:
        name = self.name
        message = f"this change leaves `{name}` without a value where it is used"
        advice = f"keep the step that sets `{name}` before this use and outside of any `if`, or replace both steps"
        binding = () if self.binding is None else (Label(self.binding, f"`{name}` is set here"),)
        use = Label(self.use, f"`{name}` is used here")
        return self.sentence_here(message, "changed here", advice, use, *binding, root=f"{name} {self.use}")


def _steps_text(step: str, within: str, candidates: tuple[str, ...]) -> str:
    """List the steps that begin with the same word; without one all, or the first ones."""
    if not candidates:
        return f"`{within}` has no step that a rule can change"
    same_word = tuple(each for each in candidates if each.split()[0] == step.split(maxsplit=1)[0])
    return f"name {list_words(same_word or candidates, 'or', MOST_NAMES)}"
