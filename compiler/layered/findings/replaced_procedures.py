"""Procedures that are replaced or withdrawn."""

from compiler.layered.findings.reference import ReferenceFinding
from compiler.source.finding import LocatedFinding, finding
from compiler.source.sentence import Label, Sentence, did_you_mean, list_words, suggestion_text
from compiler.source.span import Span
from compiler.source.suggestions import nearest_names

_PROCEDURE_KINDS = {"action", "reaction", "resolution", "after", "phase"}


@finding("R0327", "nothing-to-replace")
class NothingToReplace(LocatedFinding, ReferenceFinding):
    """The target of a procedure that replaces, or a rule that withdraws (`verb`), is missing or ambiguous.

    `match_count`: there are several. `layer` is the one layer that has it, "" if none or several do; `candidates` are
    names, or layers if ambiguous.
    """

    name: str
    layer: str
    candidates: tuple[str, ...]
    match_count: int = 0
    verb: str = "replace"

    def sentence(self) -> Sentence:
        name, verb = self.name, self.verb
        heading = self.candidates[0] if len(self.candidates) == 1 and verb == "replace" else ""
        if self.match_count:
            written = name if verb == "amend" else f"{verb}s {name}"
            message = f"there are {self.match_count} procedures `{name}`"
            advice = (
                f"give each of those in `{self.layer}` a name, and write `as NAME`"
                if self.layer
                else f"say whose it is: `{written} of LAYER`, where the layer is {list_words(self.candidates)}"
            )
        elif heading and heading.split()[0] in _PROCEDURE_KINDS:
            message = f"`{heading.partition('(')[0]}` cannot replace `{name}`, as its name differs"
            advice = "give it the name of what it replaces"
        else:
            message = f"no lower layer has `{name}` to {verb}"
            advice = did_you_mean(nearest_names(name, self.candidates)) or suggestion_text(
                name, self.candidates, "name one of", "name a procedure of a layer on which this one is based"
            )
        return self.sentence_here(message, "named here", advice, root=name)


@finding("R0328", "replacement-differs")
class ReplacementDiffers(LocatedFinding):
    """A replacement has other parameters than what it replaces: its callers pass those written `below`."""

    target: Span
    name: str
    below: str
    replacement: str

    def sentence(self) -> Sentence:
        message = f"the replacement of `{self.name}` has other parameters than the original"
        advice = f"write `{self.below}`, and choose any further values in its steps"
        original = Label(self.target, f"`{self.below}`")
        return self.sentence_here(message, f"`{self.replacement}`", advice, original, root=self.name)


@finding("R0329", "still-needed")
class StillNeeded(LocatedFinding):
    """A reference to something withdrawn that cannot be removed; `reference` describes the referring item and its use.

    A phase that is withdrawn `is_conditional` is referred to so where something lasts until its end.
    """

    target: Span
    name: str
    place: Span
    reference: str
    is_conditional: bool = False

    def sentence(self) -> Sentence:
        name = self.name
        message = f"`{name}` is withdrawn, but {self.reference}"
        advice = f"write `replaces {name}` instead, or replace what uses it as well"
        if self.is_conditional:
            message = f"`{name}` is sometimes left out, but {self.reference}"
            advice = f"leave out only what is done in it, with `wraps {name} by {{ if .. {{ proceed }} }}`"
        others = Label(self.place, "needed here"), Label(self.target, f"`{name}`")
        return self.sentence_here(message, "withdrawn here", advice, *others, root=f"{name} {self.place}")
