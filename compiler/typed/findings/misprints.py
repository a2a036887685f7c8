"""What looks like a misprint on a board or card."""

from compiler.source.finding import WARNING, LocatedFinding, finding
from compiler.source.sentence import Label, Sentence
from compiler.source.span import Span


@finding("R0583", "odd-on-map", WARNING)
class SuspectedMisprint(LocatedFinding):
    """A place `name` on a board or card (`container`) that differs from all others of its kind.

    `first` is the place compared.
    """

    message: str
    name: str
    container: str = "board"
    first: Span | None = None
    mark: str = ""

    def sentence(self) -> Sentence:
        others = (Label(self.first, self.mark),) if self.first is not None else ()
        advice = f"correct it, or write `printed_so: [{self.name}]` in the {self.container} if it is printed so"
        return self.sentence_here(self.message, "here", advice, *others)
