"""The sequence of play on paper: a numbered list of phases, with lettered lists of what is done in each.

The input is the contents of a book and the steps of its sequence; the output is text for typst.
"""

from dataclasses import replace
from itertools import groupby

from compiler.rulebook.contents import Contents
from compiler.rulebook.paper.typeset import anchor, escape, quote
from compiler.rulebook.sequence_of_play import COUNTER_MARK, TurnStep, number_turn
from compiler.rulebook.steps import ProcedureLine

NUMBERING_BELOW = {"1.": "a.", "a.": "i.", "i.": "a."}  # the numbering inside a numbered step


def turn_text(contents: Contents, lines: tuple[ProcedureLine, ...]) -> str:
    """Format a sequence of play."""
    return _list(contents, number_turn(contents, lines), "1.") if lines else ""


def _list(contents: Contents, steps: tuple[TurnStep, ...], marks: str) -> str:
    """Format steps: those with a number as lists, the others with their contents below them."""
    counted = [f"[{_step(contents, step, marks)}]" for step in steps if step.mark == COUNTER_MARK]
    parts = [f"#list({', '.join(counted)})"] if counted else []
    steps = tuple(step for step in steps if step.mark != COUNTER_MARK)
    for numbered, run in groupby(steps, lambda step: step.place > 0):
        if numbered:
            items = ", ".join(f"enum.item({step.place})[{_step(contents, step, marks)}]" for step in run)
            parts.append(f"#enum(numbering: {quote(marks)}, {items})")
        else:
            parts += [_unnumbered_step(contents, step, marks) for step in run]
    return " ".join(parts)


def _unnumbered_step(contents: Contents, step: TurnStep, marks: str) -> str:
    """Format a step without a number, which is kept together with what is below it."""
    if step.title or not step.inside:
        return f"#block[{_step(contents, step, marks)}]"
    text = _step(contents, replace(step, inside=()), marks)
    return f"#around([{text}], [{_list(contents, step.inside, marks)}])"


def _step(contents: Contents, step: TurnStep, marks: str) -> str:
    """Format one step with its contents."""
    nested_list = _list(contents, step.inside, NUMBERING_BELOW[marks] if step.place else marks)
    if step.title:
        cases = "".join(
            f"([{escape(contents.numbers.get(case, ''))}], [{escape(contents.titles[case])}], {quote(anchor(case))}), "
            for case in step.cases
        )
        return f"#phase([{escape(step.title)}], ({cases}), [{nested_list}])"
    deeds = [f"_{escape(contents.titles[key])}_" for key in step.leads]
    if len(deeds) > 1:
        return f"#deeds([{escape(step.text)}], {', '.join(f'[{deed}]' for deed in deeds)}) {nested_list}".strip()
    return f"{escape(step.text)} {''.join(deeds)} {nested_list}".strip()
