"""Sentences of findings on cards and readings that should differ and do not."""

from compiler.layered.problems import CardsAlike, ReadingChosenTwice, ReadingsAgree, ReadingsAlike
from compiler.report.diagnostic import Label
from compiler.report.sentence import Sentence, backquoted

EqualParts = CardsAlike | ReadingsAgree | ReadingsAlike | ReadingChosenTwice


def equal_card_sentence(problem: EqualParts) -> Sentence:
    """Return the sentence for cards or readings that agree, or for layers that choose different readings."""
    match problem:
        case CardsAlike(span, first, (card, other), part):
            message = f"`{card}` and `{other}` agree in {backquoted(part)}, in which all other cards differ"
            advice = "write what is printed on this card; most likely the line was copied"
            return Sentence(message, (Label(span, "again here"), Label(first, "first here")), advice)
        case ReadingsAgree(span, chosen, dispute, (followed, other)):
            message = f"the readings `{followed}` and `{other}` of `{dispute}` come to the same, whatever the position"
            labels = (Label(span, "nothing changes with it"), Label(chosen, "the reading that is followed"))
            advice = "write the rules of each as its source has them; if they do agree, there is no dispute"
            return Sentence(message, labels, advice)
        case ReadingsAlike(span, first, reading, first_reading):
            message = f"`{reading}` and `{first_reading}` hold the same rules: whichever is chosen, nothing changes"
            advice = "write what one of them says otherwise, or take the dispute away"
            return Sentence(message, (Label(span, "this reading"), Label(first, "and this one")), advice)
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
