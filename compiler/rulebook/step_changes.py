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
from compiler.rulebook.steps import ProcedureLine, has_phase, procedure_lines
from compiler.rulebook.table import table_lines
from runtime.graph import nodes as graph
from runtime.graph import words

StepPlace = tuple[str, ...]  # The phase of a step, and the conditions inside it under which the step is done.
PlacedText = tuple[StepPlace, str]
# How an offer begins that is open to the side whose turn it is, and one that need not end.
OFFERED = ("Any of these, ", "These ")
Step = tuple[PlacedText, tuple[str, ...]]  # The text of a step, and its offers.


def without_places(procedures: dict[str, graph.Procedure]) -> dict[str, graph.Procedure]:
    """Return procedures without the procedures that they run behind."""
    return {key: replace(each, behind=()) for key, each in procedures.items()}


def differing_steps(
    base: graph.Graph, old_procedure: graph.Procedure | None, book: graph.Graph, new_procedure: graph.Procedure | None
) -> tuple[tuple[StepChange, ...], tuple[StepChange, ...]]:
    """Return the steps that only the old and only the new procedure has; empty where sentences describe the change.

    Steps at the table take precedence: recorded state is compared only where they do not differ.
    """
    if (old_procedure.prose if old_procedure else "") != (new_procedure.prose if new_procedure else ""):
        return (), ()
    for read in (table_lines, procedure_lines):
        old = read(base, old_procedure) if old_procedure else ()
        new = read(book, new_procedure) if new_procedure else ()
        removed_steps, added_steps = (
            _subtract_steps(base, old, [*_steps(book, new)]),
            _subtract_steps(book, new, [*_steps(base, old)]),
        )
        if removed_steps or added_steps:
            return removed_steps, added_steps
    return (), ()


def step_sentences(steps: tuple[StepChange, ...], context: str = "") -> Iterator[str]:
    """Return a sentence for each step, with its phase and condition, for places without lists."""
    for step in steps:
        text = step.title or step.text.removesuffix(":").removesuffix(".")
        text = f"{text[:1].lower()}{text[1:]}" if context and not step.title else text
        called = "; ".join(called for _, called in step.leads)
        sentence = ": ".join(filter(None, (context, text, called)))
        yield from step_sentences(step.inside, sentence)
        if not step.inside:
            yield words.sentence(sentence)


def _subtract_steps(
    book: graph.Graph, own_lines: tuple[ProcedureLine, ...], others: list[Step]
) -> tuple[StepChange, ...]:
    """Return the steps without those of the others, as often as they occur there.

    For a common offer, its additional options.
    """
    left = Counter(others)
    offers: dict[PlacedText, list[tuple[str, ...]]] = {}
    for text, offered in others:
        offers.setdefault(text, []).append(offered)

    def remaining_changes(lines: tuple[ProcedureLine, ...], context: StepPlace) -> Iterator[StepChange]:
        for line in lines:
            sub_steps = tuple(remaining_changes(line.inside, _inner_context(context, line)))
            step = _step(book, line, context)
            more = _additional_options(step[1], offers.get(step[0], [])) if step else ()
            fresh = step is not None and not left[step] and (bool(more) or not step[1])
            if step is not None and left[step]:
                left[step] -= 1
            if fresh and step is not None:
                also = step[1] != more
                yield StepChange("", "", *_step_text(book, line, more, also=also), sub_steps)
            elif sub_steps and (line.title or not has_phase(line.inside)):
                yield StepChange(line.title, line.called if line.title else "", line.text, (), sub_steps)
            else:
                yield from sub_steps

    return tuple(remaining_changes(own_lines, ()))


def _additional_options(offered: tuple[str, ...], others: list[tuple[str, ...]]) -> tuple[str, ...]:
    """Return what an offer has beyond the most similar one of the others."""
    remainders = (tuple(each for each in offered if each not in other) for other in others)
    return min(remainders, key=len, default=offered)


def _step_text(
    book: graph.Graph, line: ProcedureLine, offered: tuple[str, ...], *, also: bool
) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return the text of a step and what it refers to; a step that only runs a procedure has its title."""
    leads = tuple(
        (key, called) for key in line.leads if (called := _procedure_title(book, key)) in offered or not offered
    )
    if not line.text.endswith(":"):
        return ("" if leads else line.text), leads
    opening = next((each for each in OFFERED if line.text.startswith(each)), "")
    if opening and (also or len(leads) == 1):
        often = line.text.removeprefix(opening)
        more = f"Also, {often.partition(',')[0].removesuffix(':')}:"
        return (more if also else words.sentence(often).removesuffix(".")), leads
    return (f"{line.text.removesuffix(':')}, also:" if also else line.text), leads


def _steps(book: graph.Graph, lines: tuple[ProcedureLine, ...], context: StepPlace = ()) -> Iterator[Step]:
    """Return each step with what it offers."""
    for line in lines:
        if step := _step(book, line, context):
            yield step
        yield from _steps(book, line.inside, _inner_context(context, line))


def _step(book: graph.Graph, line: ProcedureLine, context: StepPlace) -> Step | None:
    """Return a step; None for a title, or for a line that only states a condition of the steps inside it."""
    offered = tuple(_procedure_title(book, key) for key in line.leads) if line.text.endswith(":") else ()
    return ((context, line.text), offered) if line.text and (offered or not line.text.endswith(":")) else None


def _inner_context(context: StepPlace, line: ProcedureLine) -> StepPlace:
    """Return the context of the steps inside a line; a line over several phases is not part of it."""
    return (line.title,) if line.title else context if has_phase(line.inside) else (*context, line.text)


def _procedure_title(book: graph.Graph, key: str) -> str:
    """Return the title of a procedure: its heading, else its wording, unless that has placeholders for choices."""
    procedure = book.procedures.get(key)
    read = procedure.reads if procedure and "{" not in procedure.reads else ""
    kind, _, name = key.rpartition(":")
    return procedure_heading(book, kind, name) or words.sentence(read).removesuffix(".") or heading_words(name)
