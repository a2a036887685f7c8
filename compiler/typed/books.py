"""Checks of the declarations for the printed book: the names in them have to be names of the stack.

In: a layered stack with its terms declared. Reports unknown names, sections that one layer opens twice, and rules in
two parts. A label, procedure or phase that a layer above withdrew or replaced counts as known, as the layer that
mentions it has it; and so do labels in readings that this stack did not choose.
"""

from collections.abc import Iterator

from compiler.layered import nodes as layered
from compiler.source import nodes as source
from compiler.typed.environment import Environment
from compiler.typed.problems import Problem
from compiler.typed.source_lists import listed_twice
from compiler.typed.unknown_names import unknown_word


def check_books(env: Environment, stack: layered.LayeredStack) -> None:
    """Report the errors in the sections and headings of all layers."""
    if not stack.books:
        return
    rules = stack.labels | {label for dispute in stack.disputes.values() for label in _labels(dispute.node)}
    procedures = {*_procedure_names(stack)}
    places = {*rules, *env.terms, *stack.cases, *stack.tables, "sequence"}
    findable = {*places, *procedures, *stack.disputes}
    named = {*rules, *env.terms, *procedures, *env.events, *stack.disputes}
    for books in stack.books.values():
        openings = [opening for book in books for opening in book.openings]
        env.problems += listed_twice(opening.case for opening in openings)
        for opening in openings:
            env.problems += _checked(opening, stack, rules)
        headed = [label for book in books for label, _ in book.headings]
        dated = [label for book in books for label, _ in book.dates]
        indexed = [label for book in books for _, _, labels in book.index for label in labels]
        searched = [label for book in books for label, _ in book.asked]
        for words in (headed, dated, searched):
            env.problems += listed_twice(words)
        for words, names, category in (
            (dated, rules, "rule or ruling"),
            (indexed, places, "rule, case, chart or term"),
            (searched, findable, "rule, case, chart, term, procedure or dispute"),
            (headed, named, "rule, term, procedure, event or dispute"),
        ):
            env.problems += (unknown_word(category, word, sorted(names)) for word in words if word.text not in names)
        env.problems += _checked_phases(env, stack, books)
        env.problems += _checked_faces(env, books)


def _procedure_names(stack: layered.LayeredStack) -> Iterator[str]:
    """Yield the names of actions, reactions and resolutions, by name alone and by kind and name.

    A procedure that a layer above withdraws keeps its heading and its queries in the book below.
    """
    for node in (part.node for part in stack.conduct):
        if isinstance(node, source.Action | source.Reaction | source.Resolution):
            yield from (node.name.text, f"{_kind(node)} {node.name.text}")
    for each in stack.displaced:
        yield from (each.key.partition(":")[2], each.key.replace(":", " "))


def _kind(node: source.Action | source.Reaction | source.Resolution) -> str:
    return "resolution" if isinstance(node, source.Resolution) else "action"


def _checked(opening: source.Opening, stack: layered.LayeredStack, known: frozenset[str]) -> Iterator[Problem]:
    """Check one opening against the names of the stack."""
    if opening.case.text not in stack.cases:
        yield unknown_word("case", opening.case, sorted(stack.cases))
    placed = [label for _, labels in opening.parts for label in labels]
    yield from listed_twice(placed)
    yield from (unknown_word("rule", label, sorted(known)) for label in placed if label.text not in known)


def _checked_phases(env: Environment, stack: layered.LayeredStack, books: tuple[source.Book, ...]) -> Iterator[Problem]:
    """Check the phases of a layer's books, and the cases and charts listed under them, for unknown names."""
    phases = [phase for book in books for phase, _ in book.phases]
    # A book may mention a phase that a layer above withdraws.
    withdrawn = {each.key.removeprefix("phase:") for each in stack.displaced if each.key.startswith("phase:")}
    known = sorted({word.name for word in env.enums["phase"]} | withdrawn)
    yield from listed_twice(phases)
    yield from (unknown_word("phase", phase, known) for phase in phases if phase.text not in known)
    cases = (case for book in books for _, cases in book.phases for case in cases)
    places = {*stack.cases, *stack.tables}
    yield from (unknown_word("case or chart", case, sorted(places)) for case in cases if case.text not in places)


def _checked_faces(env: Environment, books: tuple[source.Book, ...]) -> Iterator[Problem]:
    """Check the kinds whose faces a layer declares, and the factors on them, for unknown names."""
    faces = [face for book in books for face in book.faces]
    yield from listed_twice(kind for kind, _ in faces)
    for kind, factors in faces:
        if kind.text not in env.kinds:
            yield unknown_word("kind of piece", kind, env.kinds)
            continue
        printed = [part.name for part in env.kinds[kind.text].printed]
        yield from listed_twice(factors)
        yield from (unknown_word("factor", factor, printed) for factor in factors if factor.text not in printed)


def _labels(law: object) -> Iterator[str]:
    """List the labels of all laws nested in a law."""
    inside = source.nested_laws(source.laws_inside(law))
    return (inner.label.text for inner in inside if not isinstance(inner, source.Example))
