"""What is said of cards and readings that should differ and do not."""

from typing import assert_never

from compiler.layered.problems import CardsAlike, ReadingsAgree
from compiler.report.sentence import Sentence, label, quoted


def say(problem: CardsAlike | ReadingsAgree) -> Sentence:
    """Say what agrees that is there to tell things apart."""
    match problem:
        case CardsAlike(span, first, (card, other), what):
            return Sentence(
                f"`{card}` and `{other}` agree in {quoted(what)}, in which all other cards differ",
                (label(span, "again here"), label(first, "first here")),
                "write what is printed on this card; most likely the line was copied",
            )
        case ReadingsAgree(span, chosen, dispute, (followed, other)):
            return Sentence(
                f"the readings `{followed}` and `{other}` of `{dispute}` come to the same, whatever the position",
                (label(span, "nothing changes with it"), label(chosen, "the reading that is followed")),
                "write the rules of each as its source has them; if they do agree, there is no dispute",
            )
        case _:
            assert_never(problem)
