"""Names that are declared twice, or listed twice."""

from compiler.source.finding import LocatedFinding, finding
from compiler.source.sentence import Label, Sentence
from compiler.source.span import Span
from runtime.graph.words import article

# The advice where two layers add a printed value of one name.
_ON_EACH_LAYER = "rename one of the two, or let one layer stand on the other and only give values"


@finding("R0205", "duplicate-name")
class DuplicateName(LocatedFinding):
    """Two declarations of one name."""

    first: Span
    category: str
    name: str

    def sentence(self) -> Sentence:
        if self.category == "track of scenario" and not self.span.file.endswith(".rules"):
            message = f"`{self.name}` is a fact that the rules declare, and this declares it again"
            labels = (Label(self.span, "names new hexes of this card"), Label(self.first, "declared here"))
            advice = f"give it under `facts`, as in `facts: {{{self.name}: ..}}`, or rename the region"
            return Sentence(message, labels, advice, root=f"track of scenario {self.name}")
        category_text = self.category.replace("flag of", "trait, status or feature of")
        message = f"the {category_text} `{self.name}` is declared twice"
        labels = (Label(self.span, "again here"), Label(self.first, "first here"))
        return Sentence(message, labels, _remedy(self.category, self.name), root=f"{self.category} {self.name}")


@finding("R0210", "factor-taken")
class FactorTaken(LocatedFinding):
    """A factor of a kind, or a track of it, has the name of something else that is said of its pieces.

    That is a `category`.
    """

    first: Span
    name: str
    kind: str
    category: str
    held: str = "printed on"

    def sentence(self) -> Sentence:
        message = (
            f"`{self.name}` is {self.held} each {self.kind} and is {article(self.category)} as well: the name "
            "may mean either"
        )
        labels = (Label(self.span, "here"), Label(self.first, "and here"))
        return Sentence(message, labels, "rename one of the two", root=f"factor of {self.kind} {self.name}")


@finding("R0211", "factors-differ")
class FactorsDiffer(LocatedFinding):
    """Two declarations of one factor of a kind, with the domains `now` and `before`."""

    first: Span
    name: str
    kind: str
    now: str
    before: str

    def sentence(self) -> Sentence:
        message = f"`{self.name}` is printed on each {self.kind} as {self.before} and as {self.now}"
        labels = (Label(self.span, f"as {self.now}"), Label(self.first, f"as {self.before}"))
        return Sentence(message, labels, _ON_EACH_LAYER, root=f"factor of {self.kind} {self.name}")


@finding("R0207", "listed-twice")
class ListedTwice(LocatedFinding):
    """A list contains the same member, written `name`, a second time."""

    first: Span
    name: str

    def sentence(self) -> Sentence:
        entry = self.name if self.name == "this row" else f"`{self.name}`"
        message = f"{entry} stands twice in this list"
        advice = "keep one of the two, or write what the second was meant to be"
        return Sentence(message, (Label(self.span, "again here"), Label(self.first, "first here")), advice)


def _remedy(category: str, name: str) -> str:
    """Return the advice for a name of a category that is declared twice."""
    if category in {"action", "resolution"}:
        return (
            f"write `replaces {category} {name}` before its `{{` if this one is to stand in the place of the other;"
            " else rename it"
        )
    if category.startswith("factor of "):
        return _ON_EACH_LAYER
    if category == "kind":
        return f"to print more on its counters, write `extend kind {name} has NAME: 0..9 = 5`; else rename one"
    return "keep one of the two, or rename one"
