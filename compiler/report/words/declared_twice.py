"""Messages for names that are declared twice, or listed twice.

In: a problem of the typed stage. Out: its sentence.
"""

from compiler.source.sentence import Label, Sentence
from compiler.typed.problems import DuplicateName, FactorsDiffer, FactorTaken, ListedTwice
from runtime.graph.words import article

DeclaredTwiceProblem = DuplicateName | FactorTaken | FactorsDiffer | ListedTwice
# The advice where two layers add a printed value of one name.
ON_EACH_LAYER = "rename one of the two, or let one layer stand on the other and only give values"


def declared_twice(problem: DeclaredTwiceProblem) -> Sentence:
    """State that a name is declared or listed twice."""
    match problem:
        case DuplicateName(span, first, "track of scenario", name) if not span.file.endswith(".rules"):
            message = f"`{name}` is a fact that the rules declare, and this declares it again"
            labels = (Label(span, "names new hexes of this card"), Label(first, "declared here"))
            advice = f"give it under `facts`, as in `facts: {{{name}: ..}}`, or rename the region"
            return Sentence(message, labels, advice, root=f"track of scenario {name}")
        case DuplicateName(span, first, category, name):
            category_text = category.replace("flag of", "trait, status or feature of")
            message = f"the {category_text} `{name}` is declared twice"
            labels = (Label(span, "again here"), Label(first, "first here"))
            return Sentence(message, labels, _remedy(category, name), root=f"{category} {name}")
        case FactorTaken(span, first, name, kind, category, held):
            message = f"`{name}` is {held} each {kind} and is {article(category)} as well: the name may mean either"
            labels = (Label(span, "here"), Label(first, "and here"))
            return Sentence(message, labels, "rename one of the two", root=f"factor of {kind} {name}")
        case FactorsDiffer(span, first, name, kind, now, before):
            message = f"`{name}` is printed on each {kind} as {before} and as {now}"
            labels = (Label(span, f"as {now}"), Label(first, f"as {before}"))
            return Sentence(message, labels, ON_EACH_LAYER, root=f"factor of {kind} {name}")
        case ListedTwice(span, first, name):
            entry = name if name == "this row" else f"`{name}`"
            message = f"{entry} stands twice in this list"
            advice = "keep one of the two, or write what the second was meant to be"
            return Sentence(message, (Label(span, "again here"), Label(first, "first here")), advice)


def _remedy(category: str, name: str) -> str:
    """Return the advice for a name of a category that is declared twice."""
    if category in {"action", "resolution"}:
        return (
            f"write `replaces {category} {name}` before its `{{` if this one is to stand in the place of the other;"
            " else rename it"
        )
    if category.startswith("factor of "):
        return ON_EACH_LAYER
    if category == "kind":
        return f"to print more on its counters, write `extend kind {name} has NAME: 0..9 = 5`; else rename one"
    return "keep one of the two, or rename one"
