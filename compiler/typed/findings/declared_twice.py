"""Names that are declared twice, or listed twice."""

from compiler.source.finding import LocatedFinding, finding
from compiler.source.sentence import Label, Sentence, copy_root
from compiler.source.span import Span
from runtime.graph.words import article

# The advice where two layers add a printed value of one name.
_ON_EACH_LAYER = "rename one of the two, or base one layer on the other and let it only give values"


@finding("R0205", "duplicate-name")
class DuplicateName(LocatedFinding):
    """Two declarations of one name."""

    first: Span
    category: str
    name: str

    def sentence(self) -> Sentence:
        if self.category == "track of scenario" and not self.span.file.endswith(".rules"):
            message = f"this region has the name of a fact of the rules, `{self.name}`"
            advice = f"give the fact under `facts`, as in `facts: {{{self.name}: ..}}`, or rename the region"
        else:
            sort, _, owner = self.category.replace("term", "question").partition(" of ")
            message = f"`{self.name}` is declared twice " + (f"for {owner}" if owner else f"as {article(sort)}")
            advice = _remedy(self.category, self.name)
        first = Label(self.first, "first here")
        root = copy_root(self.span, self.first, f"{self.category} {self.name}")
        return self.sentence_here(message, "again here", advice, first, root=root)


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
        category = article(self.category)
        message = f"the name `{self.name}` is ambiguous: it is {self.held} each {self.kind}, and also {category}"
        root, first = f"factor of {self.kind} {self.name}", Label(self.first, "and here")
        return self.sentence_here(message, "declared here", "rename one of the two", first, root=root)


@finding("R0211", "factors-differ")
class FactorsDiffer(LocatedFinding):
    """Two declarations of one factor of a kind, with the domains `now` and `before`."""

    first: Span
    name: str
    kind: str
    now: str
    before: str

    def sentence(self) -> Sentence:
        message = f"`{self.name}` of {self.kind} is declared as {self.before} and as {self.now}"
        root, first = f"factor of {self.kind} {self.name}", Label(self.first, self.before)
        return self.sentence_here(message, self.now, _ON_EACH_LAYER, first, root=root)


@finding("R0207", "listed-twice")
class ListedTwice(LocatedFinding):
    """A list contains the same member, written `name`, a second time."""

    first: Span
    name: str

    def sentence(self) -> Sentence:
        entry = self.name if self.name == "this row" else f"`{self.name}`"
        message = f"{entry} is listed twice"
        advice = "delete one of the two, or correct it"
        return self.sentence_here(message, "again here", advice, Label(self.first, "first here"))


def _remedy(category: str, name: str) -> str:
    """Return the advice for a name of a category that is declared twice."""
    if category in {"action", "resolution"}:
        return f"delete or rename one of the two, or write `replaces {category} {name}` before the `{{` of the second"
    if category.startswith("factor of "):
        return _ON_EACH_LAYER
    if category == "kind":
        return f"delete or rename one of the two, or write `extend kind {name} has NAME: 0..9 = 5` to add to the first"
    return "delete or rename one of the two"
