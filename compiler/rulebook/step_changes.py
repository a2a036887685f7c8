"""Compute changes in procedures: the steps that only one book has, where sentences do not describe them.

The input is the present and the former procedure, in their books; the output is the steps to print of each, as a list
in order of play. The order of procedures that run on the same event is a separate change, which is listed with no
procedure.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from compiler.rulebook.booklet import StepChange
from compiler.rulebook.openings import procedure_heading
from compiler.rulebook.sentences import heading_words
from compiler.rulebook.steps import Line, holds_phase, procedure_lines
from compiler.rulebook.table import table_lines
from runtime.graph import nodes as graph
from runtime.graph import words

Where = tuple[str, ...]  # The phase of a step, and the conditions inside it under which the step is done.
PlacedText = tuple[Where, str]
ANY = "Any of these, "  # how an offer begins that is open to the side whose turn it is
Step = tuple[PlacedText, tuple[str, ...]]  # The text of a step, and its offers.


def without_places(procedures: dict[str, graph.Procedure]) -> dict[str, graph.Procedure]:
    """Return procedures without the procedures that they run behind."""
    return {key: replace(each, behind=()) for key, each in procedures.items()}


def steps_apart(
    base: graph.Graph, before: graph.Procedure | None, book: graph.Graph, now: graph.Procedure | None
) -> tuple[tuple[StepChange, ...], tuple[StepChange, ...]]:
    """Return the steps that only the old and only the new procedure has; empty where sentences describe the change.

    Steps at the table take precedence: recorded state is compared only where they do not differ.
    """
    if (before.prose if before else "") != (now.prose if now else ""):
        return (), ()
    for read in (table_lines, procedure_lines):
        old = read(base, before) if before else ()
        new = read(book, now) if now else ()
        was, is_ = _without(base, old, [*_steps(book, new)]), _without(book, new, [*_steps(base, old)])
        if was or is_:
            return was, is_
    return (), ()


def step_sentences(steps: tuple[StepChange, ...], around: str = "") -> Iterator[str]:
    """Return a sentence for each step, with its phase and condition, for places without lists."""
    for step in steps:
        own = step.title or step.text.removesuffix(":").removesuffix(".")
        own = f"{own[:1].lower()}{own[1:]}" if around and not step.title else own
        called = "; ".join(called for _, called in step.leads)
        said = ": ".join(filter(None, (around, own, called)))
        yield from step_sentences(step.inside, said)
        if not step.inside:
            yield words.sentence(said)


def _without(book: graph.Graph, mine: tuple[Line, ...], others: list[Step]) -> tuple[StepChange, ...]:
    """Return the steps without those of the others, as often as they occur there.

    For a common offer, its additional options.
    """
    left = Counter(others)
    offers: dict[PlacedText, list[tuple[str, ...]]] = {}
    for said, offered in others:
        offers.setdefault(said, []).append(offered)

    def kept(lines: tuple[Line, ...], where: Where) -> Iterator[StepChange]:
        for line in lines:
            inside = tuple(kept(line.inside, _inside(where, line)))
            own = _step(book, line, where)
            more = _more(own[1], offers.get(own[0], [])) if own else ()
            fresh = own is not None and not left[own] and (bool(more) or not own[1])
            if own is not None and left[own]:
                left[own] -= 1
            if fresh and own is not None:
                also = own[1] != more
                yield StepChange("", "", *_spoken(book, line, more, also=also), inside)
            elif inside and (line.title or not holds_phase(line.inside)):
                yield StepChange(line.title, line.called if line.title else "", line.text, (), inside)
            else:
                yield from inside

    return tuple(kept(mine, ()))


def _more(offered: tuple[str, ...], others: list[tuple[str, ...]]) -> tuple[str, ...]:
    """Return what an offer has beyond the most similar one of the others."""
    ways = (tuple(each for each in offered if each not in other) for other in others)
    return min(ways, key=len, default=offered)


def _spoken(
    book: graph.Graph, line: Line, offered: tuple[str, ...], *, also: bool
) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return the text of a step and what it refers to; a step that only runs a procedure has its title."""
    leads = tuple((key, called) for key in line.leads if (called := _called(book, key)) in offered or not offered)
    if not line.text.endswith(":"):
        return ("" if leads else line.text), leads
    if line.text.startswith(ANY) and (also or len(leads) == 1):
        often = line.text.removeprefix(ANY)
        more = f"Also, {often.partition(',')[0].removesuffix(':')}:"
        return (more if also else words.sentence(often).removesuffix(".")), leads
    return (f"{line.text.removesuffix(':')}, also:" if also else line.text), leads


def _steps(book: graph.Graph, lines: tuple[Line, ...], where: Where = ()) -> Iterator[Step]:
    """Return each step with what it offers."""
    for line in lines:
        if step := _step(book, line, where):
            yield step
        yield from _steps(book, line.inside, _inside(where, line))


def _step(book: graph.Graph, line: Line, where: Where) -> Step | None:
    """Return a step; None for a title, or for a line that only states a condition of the steps inside it."""
    offered = tuple(_called(book, key) for key in line.leads) if line.text.endswith(":") else ()
    return ((where, line.text), offered) if line.text and (offered or not line.text.endswith(":")) else None


def _inside(where: Where, line: Line) -> Where:
    """Return the context of the steps inside a line; a line over several phases is not part of it."""
    return (line.title,) if line.title else where if holds_phase(line.inside) else (*where, line.text)


def _called(book: graph.Graph, key: str) -> str:
    """Return the title of a procedure: its heading, else its wording, unless that has placeholders for choices."""
    procedure = book.procedures.get(key)
    read = procedure.reads if procedure and "{" not in procedure.reads else ""
    what, _, name = key.rpartition(":")
    return procedure_heading(book, what, name) or words.sentence(read).removesuffix(".") or heading_words(name)
