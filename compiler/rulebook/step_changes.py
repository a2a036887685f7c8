"""Changes in procedures: the steps that one book alone has, where sentences do not say it.

In: a procedure as it is and as it was, in their books. Out: what to print of each. What comes behind what when several
run on the same event is a change of its own, which no procedure is listed for.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from compiler.rulebook.sentences import heading_words
from compiler.rulebook.steps import Line, procedure_lines
from runtime.graph import nodes as graph
from runtime.graph import words


def unplaced(procedures: dict[str, graph.Procedure]) -> dict[str, graph.Procedure]:
    """Take procedures without what they come behind."""
    return {key: replace(each, behind=()) for key, each in procedures.items()}


def steps_apart(
    base: graph.Graph, before: graph.Procedure | None, book: graph.Graph, now: graph.Procedure | None
) -> tuple[str, str]:
    """Return the steps that only the old and only the new procedure has; "" twice where sentences say what changes."""
    if (before.prose if before else "") != (now.prose if now else ""):
        return "", ""
    old = [*_sentences(base, procedure_lines(base, before))] if before else []
    new = [*_sentences(book, procedure_lines(book, now))] if now else []
    return " ".join(_without(old, new)), " ".join(_without(new, old))


def _without(mine: list[str], others: list[str]) -> Iterator[str]:
    """Leave out what the others have, as often as they have it."""
    left = Counter(others)
    for said in mine:
        if left[said]:
            left[said] -= 1
        else:
            yield said


def _sentences(book: graph.Graph, lines: tuple[Line, ...], phase: str = "") -> Iterator[str]:
    """Yield each step in a sentence of its own, with its phase and what it leads to."""
    for line in lines:
        led_to = [_called(book, key) for key in line.leads]
        ends = f" {words.listed(led_to)}" if line.text.endswith(":") and led_to else ""
        if line.text and (ends or not line.text.endswith(":")):
            yield words.sentence(f"{phase}: {line.text}{ends}" if phase else f"{line.text}{ends}")
        yield from _sentences(book, line.inside, line.title or phase)


def _called(book: graph.Graph, key: str) -> str:
    """Call a procedure as it is read aloud, unless that has places for what is chosen."""
    procedure = book.procedures.get(key)
    read = procedure.reads if procedure and "{" not in procedure.reads else ""
    return words.sentence(read).removesuffix(".") or heading_words(key.rpartition(":")[2])
