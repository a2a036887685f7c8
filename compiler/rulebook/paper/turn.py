"""The sequence of play on paper: a numbered list of phases, what is done in each lettered beneath it.

In: the contents of a book and the steps of its sequence. Out: text for typst.
"""

from dataclasses import replace
from itertools import groupby

from compiler.rulebook.contents import Contents
from compiler.rulebook.paper.typeset import anchor, escape, quote
from compiler.rulebook.sequence_of_play import COUNTED, TurnStep, number_turn
from compiler.rulebook.steps import Line

BELOW = {"1.": "a.", "a.": "i.", "i.": "a."}  # how what is inside a numbered step is numbered


def turn_text(contents: Contents, lines: tuple[Line, ...]) -> str:
    """Print a sequence of play."""
    return _list(contents, number_turn(contents, lines), "1.") if lines else ""


def _list(contents: Contents, steps: tuple[TurnStep, ...], marks: str) -> str:
    """Print steps: those with a number as lists, the others with what they hold beneath them."""
    counted = [f"[{_step(contents, step, marks)}]" for step in steps if step.mark == COUNTED]
    parts = [f"#list({', '.join(counted)})"] if counted else []
    steps = tuple(step for step in steps if step.mark != COUNTED)
    for numbered, run in groupby(steps, lambda step: step.place > 0):
        if numbered:
            items = ", ".join(f"enum.item({step.place})[{_step(contents, step, marks)}]" for step in run)
            parts.append(f"#enum(numbering: {quote(marks)}, {items})")
        else:
            parts += [_around(contents, step, marks) for step in run]
    return " ".join(parts)


def _around(contents: Contents, step: TurnStep, marks: str) -> str:
    """Print a step without a number, which goes with what stands beneath it."""
    if step.title or not step.inside:
        return f"#block[{_step(contents, step, marks)}]"
    said = _step(contents, replace(step, inside=()), marks)
    return f"#around([{said}], [{_list(contents, step.inside, marks)}])"


def _step(contents: Contents, step: TurnStep, marks: str) -> str:
    """Print one step, and what is inside it."""
    inside = _list(contents, step.inside, BELOW[marks] if step.place else marks)
    if step.title:
        cases = "".join(
            f"([{escape(contents.numbers.get(case, ''))}], [{escape(contents.titles[case])}], {quote(anchor(case))}), "
            for case in step.cases
        )
        return f"#phase([{escape(step.title)}], ({cases}), [{inside}])"
    deeds = [f"_{escape(contents.titles[thing])}_" for thing in step.leads]
    if len(deeds) > 1:
        return f"#deeds([{escape(step.text)}], {', '.join(f'[{each}]' for each in deeds)}) {inside}".strip()
    return f"{escape(step.text)} {''.join(deeds)} {inside}".strip()
