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
        if self.match_count:
            written = name if verb == "amend" else f"{verb}s {name}"
            message = f"`{name}` may be any of {self.match_count} procedures"
            advice = (
                f"several of them are in `{self.layer}`: replace each by its name, `as NAME`"
                if self.layer
                else f"say whose it is: `{written} of LAYER`, with one of {list_words(self.candidates)}"
            )
            return self.sentence_here(message, "which one is meant cannot be told", advice, root=name)
        heading = self.candidates[0] if len(self.candidates) == 1 and verb == "replace" else ""
        if heading and heading.split()[0] in _PROCEDURE_KINDS:
            message = f"`{heading.partition('(')[0]}` cannot stand in the place of `{name}`"
            advice = "a replacement has the name of what it replaces, as others call it by that name"
            return self.sentence_here(message, "is called otherwise", advice, root=name)
        advice = did_you_mean(nearest_names(name, self.candidates)) or suggestion_text(
            name, self.candidates, "there are", "name a procedure of a layer that this one stands on"
        )
        message = f"there is no `{name}` below to {verb}"
        return self.sentence_here(message, "named here", advice, root=name)


@finding("R0328", "replacement-differs")
class ReplacementDiffers(LocatedFinding):
    """A replacement has other parameters than what it replaces: its callers pass those written `below`."""

    target: Span
    name: str
    below: str
    replacement: str

    def sentence(self) -> Sentence:
        message = f"`{self.name}` is written `{self.below}` below, and its replacement `{self.replacement}`"
        labels: tuple[Label, ...] = (
            Label(self.span, "cannot stand in for it"),
            Label(self.target, "others come to this one"),
        )
        advice = f"write `{self.below}`; what is to be known besides can be asked for inside"
        return Sentence(message, labels, advice, root=self.name)


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
        if self.is_conditional:
            labels = (
                Label(self.span, "left out here"),
                Label(self.place, "waits for it"),
                Label(self.target, f"`{self.name}`"),
            )
            advice = (
                f"let it begin and end, and leave out what is done in it: `wraps {self.name} by {{ if .. {{ "
                "proceed }} }}`"
            )
            return Sentence(
                f"`{self.name}` is left out at times, and {self.reference}",
                labels,
                advice,
                root=f"{self.name} {self.place}",
            )
        labels = (
            Label(self.span, "withdrawn here"),
            Label(self.place, "still named"),
            Label(self.target, f"`{self.name}`"),
        )
        advice = f"replace it instead (`replaces {self.name}`), or replace what names it as well"
        return Sentence(
            f"`{self.name}` is withdrawn, and {self.reference}", labels, advice, root=f"{self.name} {self.place}"
        )
