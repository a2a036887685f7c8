"""Sentences of findings on cards and readings that should differ and do not."""

from compiler.layered.problems import CardsAlike, ReadingChosenTwice, ReadingsAgree, ReadingsAlike
from compiler.report.diagnostic import Label
from compiler.report.sentence import Sentence, quoted

EqualParts = CardsAlike | ReadingsAgree | ReadingsAlike | ReadingChosenTwice


def sentence(problem: EqualParts) -> Sentence:
    """Return the sentence for cards or readings that agree, or for layers that choose different readings."""
    match problem:
        case CardsAlike(span, first, (card, other), part):
            return Sentence(
                f"`{card}` and `{other}` agree in {quoted(part)}, in which all other cards differ",
                (Label(span, "again here"), Label(first, "first here")),
                "write what is printed on this card; most likely the line was copied",
            )
        case ReadingsAgree(span, chosen, dispute, (followed, other)):
            return Sentence(
                f"the readings `{followed}` and `{other}` of `{dispute}` come to the same, whatever the position",
                (Label(span, "nothing changes with it"), Label(chosen, "the reading that is followed")),
                "write the rules of each as its source has them; if they do agree, there is no dispute",
            )
        case ReadingsAlike(span, first, reading, first_reading):
            return Sentence(
                f"`{reading}` and `{first_reading}` hold the same rules: whichever is chosen, nothing changes",
                (Label(span, "this reading"), Label(first, "and this one")),
                "write what one of them says otherwise, or take the dispute away",
            )
        case ReadingChosenTwice(span, other, dispute, (layer, other_layer), (reading, other_reading)):
            return Sentence(
                f"two loaded layers choose different readings of `{dispute}`",
                (
                    Label(span, f"`{layer}` follows `{reading}`"),
                    Label(other, f"`{other_layer}` follows `{other_reading}`"),
                ),
                f"choose one where you name the stack, `+{dispute}={reading}`, or in a joint layer on both",
                root=f"readings of {dispute}",
            )
