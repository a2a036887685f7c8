"""Compute changes in procedures: the steps that only one book has, where sentences do not describe them.

The input is the present and the former procedure, in their books; the output is a sentence for each such step, in order
of play, which begins with the phase and the conditions of the step. The order of procedures that run on the same event
is a separate change, which is listed with no procedure.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from compiler.rulebook.naming import procedure_title
from compiler.rulebook.sentences import heading_words
from compiler.rulebook.steps import ProcedureLine, has_phase, procedure_lines
from compiler.rulebook.table import table_lines
from runtime.graph import nodes as graph
from runtime.graph import words


class _PlacedStep(NamedTuple):
    """A step: its phase and the conditions inside it under which it is done, its text, and what it offers or runs."""

    place: tuple[str, ...]
    text: str
    offered: tuple[str, ...]


def without_places(procedures: dict[str, graph.Procedure]) -> dict[str, graph.Procedure]:
    """Return procedures without the procedures that they run behind."""
    return {key: replace(each, behind=()) for key, each in procedures.items()}


def differing_steps(
    base: graph.Graph, old_procedure: graph.Procedure | None, book: graph.Graph, new_procedure: graph.Procedure | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the steps that only the old and only the new procedure has; empty where sentences describe the change.

    Steps at the table take precedence: recorded state is compared only where they do not differ.
    """
    if (old_procedure.prose if old_procedure else "") != (new_procedure.prose if new_procedure else ""):
        return (), ()
    for read in (table_lines, procedure_lines):
        old_steps = [*_placed_steps(base, read(base, old_procedure))] if old_procedure else []
        new_steps = [*_placed_steps(book, read(book, new_procedure))] if new_procedure else []
        removed_steps, added_steps = _steps_beyond(old_steps, new_steps), _steps_beyond(new_steps, old_steps)
        if removed_steps or added_steps:
            return removed_steps, added_steps
    return (), ()


def _steps_beyond(steps: Sequence[_PlacedStep], others: Sequence[_PlacedStep]) -> tuple[str, ...]:
    """Return the steps without those of the others, as often as they occur there; of a common offer, what is new."""
    left = Counter(others)
    sentences = []
    for step in steps:
        if left[step]:
            left[step] -= 1
            continue
        # An offer of one action has no text of its own.
        beside = [other for other in others if other.place == step.place]
        similar_offers = [other.offered for other in beside if other.text == step.text or "" in (other.text, step.text)]
        remainders = (tuple(name for name in step.offered if name not in offered) for offered in similar_offers)
        added_names = min(remainders, key=len, default=step.offered)
        if added_names or not step.offered:
            also = ", also" if added_names != step.offered and step.text else ""
            sentences.append(_sentence((*step.place, f"{step.text}{also}"), "; ".join(added_names)))
    return tuple(dict.fromkeys(sentences))


def _sentence(parts: Sequence[str], titles: str) -> str:
    """Join a phase, conditions, a step, and the titles of what it offers or runs to a sentence."""
    first, *inner_parts = [part for part in parts if part] or [""]
    in_order = (first, *(f"{part[:1].lower()}{part[1:]}" for part in inner_parts), titles)
    return words.sentence(": ".join(filter(None, in_order)))


def _placed_steps(
    book: graph.Graph, lines: tuple[ProcedureLine, ...], place: tuple[str, ...] = ()
) -> Iterator[_PlacedStep]:
    """Yield each step with its place; titles, and lines that only state a condition of the steps inside, are places."""
    for line in lines:
        offered = tuple(_called(book, key) for key in line.leads)
        text = line.text.removesuffix(":").removesuffix(".")
        if line.text.endswith(":") and offered:
            yield _PlacedStep(place, text, offered)
        elif line.text and not line.text.endswith(":"):
            yield _PlacedStep(place, "" if offered else text, offered)
        if line.title:
            yield from _placed_steps(book, line.inside, (line.title,))
        else:  # A line over several phases is no place of theirs.
            yield from _placed_steps(book, line.inside, place if has_phase(line.inside) else (*place, text))


def _called(book: graph.Graph, key: str) -> str:
    """Return the title of a procedure that a step offers or runs."""
    procedure = book.procedures.get(key)
    return procedure_title(book, procedure) if procedure else heading_words(key.rpartition(":")[2])
