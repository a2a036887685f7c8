"""Checks of the declarations for the printed book: the names in them have to be names of the stack.

In: a layered stack with its terms declared. Reports unknown names, sections that one layer opens twice, and rules in
two parts. A label, procedure or phase that a layer above withdrew or replaced counts as known, as the layer that
mentions it has it; and so do labels in readings that this stack did not choose.
"""

from collections.abc import Collection, Iterable, Iterator

from compiler.layered import nodes as layered
from compiler.source import nodes as source
from compiler.source.finding import Finding
from compiler.typed.environment import Environment
from compiler.typed.source_lists import listed_twice
from compiler.typed.unknown_names import unknown_word


def check_books(env: Environment, stack: layered.LayeredStack) -> None:
    """Report the errors in the sections and headings of all layers."""
    if not stack.books:
        return
    known = _KnownNames(env, stack)
    for books in stack.books.values():
        env.problems += _checked_openings(books, stack, known.rules)
        env.problems += _checked_words(books, known)
        env.problems += _checked_phases(env, stack, books)
        env.problems += _checked_faces(env, books)


class _KnownNames:
    """The names that a book may mention, by what may be said of them.

    `rules` are labels of rules and rulings, `places` what stands in the book, `findable` what a query may lead to, and
    `headed` what may have a heading.
    """

    def __init__(self, env: Environment, stack: layered.LayeredStack) -> None:
        disputed = {label for dispute in stack.disputes.values() for label in _labels(dispute.node)}
        procedures = {*_procedure_names(stack)}
        self.rules = stack.labels | disputed
        self.places = {*self.rules, *env.terms, *stack.cases, *stack.tables, "sequence"}
        self.findable = {*self.places, *procedures, *stack.disputes}
        self.headed = {*self.rules, *env.terms, *procedures, *env.events, *stack.disputes}


def _checked_words(books: tuple[source.Book, ...], known: _KnownNames) -> Iterator[Finding]:
    """Check what has a heading, a date, an entry in the index or a query: for unknown names, and for what is twice."""
    headed = [label for book in books for label, _ in book.headings]
    dated = [label for book in books for label, _ in book.dates]
    searched = [label for book in books for label, _ in book.asked]
    indexed: list[source.Word] = []
    for book in books:
        for _, _, labels in book.index:
            indexed += labels
    for words in (headed, dated, searched):
        yield from listed_twice(words)
    yield from _unknown("rule", dated, known.rules)
    yield from _unknown("rule or question", indexed, known.places)
    yield from _unknown("rule or question", searched, known.findable)
    yield from _unknown("rule or question", headed, known.headed)


def _unknown(category: str, words: Iterable[source.Word], names: Collection[str]) -> Iterator[Finding]:
    """Yield a problem for each word that is none of the names."""
    for word in words:
        if word.text not in names:
            yield unknown_word(category, word, sorted(names))


def _procedure_names(stack: layered.LayeredStack) -> Iterator[str]:
    """Yield the names of actions, reactions and resolutions, by name alone and by kind and name.

    A procedure that a layer above withdraws keeps its heading and its queries in the book below.
    """
    for statement in stack.conduct:
        node = statement.node
        if isinstance(node, source.Action | source.Reaction | source.Resolution):
            yield from (node.name.text, f"{_kind(node)} {node.name.text}")
    for procedure in stack.displaced:
        yield from (procedure.key.partition(":")[2], procedure.key.replace(":", " "))


def _kind(node: source.Action | source.Reaction | source.Resolution) -> str:
    return "resolution" if isinstance(node, source.Resolution) else "action"


def _checked_openings(
    books: tuple[source.Book, ...], stack: layered.LayeredStack, rules: frozenset[str]
) -> Iterator[Finding]:
    """Check the openings of a layer's books: their cases, and the rules in their parts."""
    openings = [opening for book in books for opening in book.openings]
    yield from listed_twice(opening.case for opening in openings)
    for opening in openings:
        yield from _unknown("case", (opening.case,), stack.cases)
        placed = [label for _, labels in opening.parts for label in labels]
        yield from listed_twice(placed)
        yield from _unknown("rule", placed, rules)


def _checked_phases(env: Environment, stack: layered.LayeredStack, books: tuple[source.Book, ...]) -> Iterator[Finding]:
    """Check the phases of a layer's books, and the cases and charts listed under them, for unknown names."""
    # A book may mention a phase that a layer above withdraws.
    withdrawn = {part.key.removeprefix("phase:") for part in stack.displaced if part.key.startswith("phase:")}
    known = {word.name for word in env.enums["phase"]} | withdrawn
    phases: list[source.Word] = []
    cases: list[source.Word] = []
    for book in books:
        for phase, listed_cases in book.phases:
            phases.append(phase)
            cases += listed_cases
    yield from listed_twice(phases)
    yield from _unknown("phase", phases, known)
    yield from _unknown("case or chart", cases, {*stack.cases, *stack.tables})


def _checked_faces(env: Environment, books: tuple[source.Book, ...]) -> Iterator[Finding]:
    """Check the kinds whose faces a layer declares, and the factors on them, for unknown names."""
    faces = [face for book in books for face in book.faces]
    yield from listed_twice(kind for kind, _ in faces)
    for kind, factors in faces:
        if kind.text not in env.kinds:
            yield unknown_word("kind of piece", kind, env.kinds)
            continue
        printed = [part.name for part in env.kinds[kind.text].printed]
        yield from listed_twice(factors)
        for factor in factors:
            if factor.text not in printed:
                yield unknown_word("factor", factor, printed)


def _labels(law: object) -> Iterator[str]:
    """List the labels of all laws nested in a law."""
    inside = source.nested_laws(source.laws_inside(law))
    return (inner.label.text for inner in inside if not isinstance(inner, source.Example))
