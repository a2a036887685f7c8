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

Step = tuple[str, tuple[str, ...]]  # What a step says, and what it offers.


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


def _without(mine: list[Step], others: list[Step]) -> Iterator[str]:
    """Leave out what the others have, as often as they have it; of an offer that both have, tell what is more."""
    left = Counter(others)
    offers = {said: offered for said, offered in others if offered}
    for step in mine:
        said, offered = step
        more = tuple(each for each in offered if each not in offers.get(said, ()))
        if left[step]:
            left[step] -= 1
        elif not offered:
            yield words.sentence(said)
        elif more == offered:
            yield words.sentence(f"{said} {words.listed(offered)}")
        elif more:
            yield words.sentence(f"{said} also {words.listed(more)}")


def _sentences(book: graph.Graph, lines: tuple[Line, ...], phase: str = "") -> Iterator[Step]:
    """Yield each step with its phase, and what it leads to."""
    for line in lines:
        led_to = tuple(_called(book, key) for key in line.leads) if line.text.endswith(":") else ()
        if line.text and (led_to or not line.text.endswith(":")):
            yield f"{phase}: {line.text}" if phase else line.text, led_to
        yield from _sentences(book, line.inside, line.title or phase)


def _called(book: graph.Graph, key: str) -> str:
    """Call a procedure as it is read aloud, unless that has places for what is chosen."""
    procedure = book.procedures.get(key)
    read = procedure.reads if procedure and "{" not in procedure.reads else ""
    return words.sentence(read).removesuffix(".") or heading_words(key.rpartition(":")[2])
