"""Disputes and their readings."""

from compiler.layered.findings.reference import ReferenceFinding
from compiler.source.finding import WARNING, LocatedFinding, finding
from compiler.source.sentence import Label, Sentence, choice_text
from compiler.source.span import Span
from compiler.source.suggestions import nearest_names


@finding("R0304", "unknown-reading")
class UnknownReading(LocatedFinding):
    """An unknown reading of a dispute, chosen by a stack or a layer; `reading` is "" if the dispute is unknown."""

    dispute: str
    reading: str
    candidates: tuple[str, ...]

    def sentence(self) -> Sentence:
        if not self.reading:
            message = f"there is no dispute `{self.dispute}`"
            advice = choice_text(nearest_names(self.dispute, self.candidates), self.candidates, "the disputes are")
            return self.sentence_here(message, "its reading is chosen here", advice, root=f"dispute {self.dispute}")
        near_names = nearest_names(self.reading, self.candidates)
        message = f"`{self.reading}` is no reading of a dispute `{self.dispute}`"
        advice = choice_text(near_names, self.candidates, "what can be chosen is")
        return self.sentence_here(message, "chosen here", advice)


@finding("R0305", "no-default-reading")
class NoDefaultReading(LocatedFinding):
    """A dispute with no default reading, with several (`defaults`), or with only one reading."""

    dispute: str
    defaults: tuple[Span, ...] = ()
    is_single_reading: bool = False

    def sentence(self) -> Sentence:
        place = (Label(self.span, "this dispute"),)
        if self.is_single_reading:
            message = f"the dispute `{self.dispute}` has one reading only, and nothing to choose from"
            return Sentence(message, place, "write the reading that it is held against, or make plain rules of it")
        if len(self.defaults) > 1:
            first, second, *_ = self.defaults
            message = f"the dispute `{self.dispute}` has more than one default reading"
            labels = (Label(second, "this says `default`"), Label(first, "and so does this"))
            advice = "leave `default` and its reason with the reading to follow, and take it from the others"
            return Sentence(message, labels, advice)
        message = f"the dispute `{self.dispute}` needs exactly one default reading"
        return Sentence(message, place, 'write `default "why we follow it"` behind the label of the reading to follow')


@finding("R0324", "readings-alike", WARNING)
class ReadingsAlike(LocatedFinding, ReferenceFinding):
    """Two readings of a dispute contain the same rules."""

    first: Span
    reading: str
    first_reading: str

    def sentence(self) -> Sentence:
        message = (
            f"`{self.reading}` and `{self.first_reading}` hold the same rules: whichever is chosen, nothing changes"
        )
        advice = "write what one of them says otherwise, or take the dispute away"
        return Sentence(message, (Label(self.span, "this reading"), Label(self.first, "and this one")), advice)


@finding("R0323", "reading-chosen-twice")
class ReadingChosenTwice(LocatedFinding):
    """Two layers, neither above the other, choose different readings of one dispute."""

    other: Span
    dispute: str
    layers: tuple[str, str]
    readings: tuple[str, str]

    def sentence(self) -> Sentence:
        parties = zip((self.span, self.other), self.layers, self.readings, strict=True)
        return Sentence(
            f"two loaded layers choose different readings of `{self.dispute}`",
            tuple(Label(place, f"`{layer}` follows `{reading}`") for place, layer, reading in parties),
            f"choose one where you name the stack, `+{self.dispute}={self.readings[0]}`, or in a joint layer on both",
            root=f"readings of {self.dispute}",
        )
