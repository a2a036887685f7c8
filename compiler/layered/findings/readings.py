"""Disputes and their readings."""

from compiler.source.finding import LocatedFinding, finding
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
        message, category, root = f"there is no dispute `{self.dispute}`", "disputes", f"dispute {self.dispute}"
        if self.reading:
            message, category, root = f"the dispute `{self.dispute}` has no reading `{self.reading}`", "readings", ""
        near_names = nearest_names(self.reading or self.dispute, self.candidates)
        advice = choice_text(near_names, self.candidates, f"its {category} are" if self.reading else "the disputes are")
        return self.sentence_here(message, "chosen here", advice, root=root)


@finding("R0305", "no-default-reading")
class NoDefaultReading(LocatedFinding):
    """A dispute with no default reading, with several (`defaults`), or with only one reading."""

    dispute: str
    defaults: tuple[Span, ...] = ()
    is_single_reading: bool = False

    def sentence(self) -> Sentence:
        message = f"the dispute `{self.dispute}` has no default reading"
        advice = 'write `default "REASON"` after the label of the reading to follow'
        if self.is_single_reading:
            message = f"the dispute `{self.dispute}` has only one reading"
            advice = "add the reading that disagrees with it, or write its rules without a dispute"
        if len(self.defaults) > 1:
            message = f"the dispute `{self.dispute}` has more than one default reading"
            advice = "keep `default` in the reading to follow, and delete it in the others"
            first, second, *_ = self.defaults
            return Sentence(message, (Label(second, "a default"), Label(first, "another")), advice)
        return self.sentence_here(message, "this dispute", advice)


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
            f"two layers choose different readings of `{self.dispute}`",
            tuple(Label(place, f"`{layer}` chooses `{reading}`") for place, layer, reading in parties),
            f"add `+{self.dispute}={self.readings[0]}` to the name of the stack,"
            " or choose one in a layer that is based on both",
            root=f"readings of {self.dispute}",
        )
