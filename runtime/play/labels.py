"""Labels of options: names of hexes and pieces instead of indexes.

In: an option of a decision. Out: text. Trials store labels, so that they must not depend on the process or on earlier
games.
"""

from runtime.answer.value_text import value_text
from runtime.play.options import END, STOP, TAKE, Decision, Option
from runtime.play.programs import Program
from runtime.state.position import State


def option_label(state: State, programs: dict[str, Program], decision: Decision, option: Option) -> str:
    """Return the label of an option: `hop`, `hop(A-1)`, `B2`, `stop`, `end`."""
    if option.kind in (END, STOP):
        return option.kind
    if option.kind != TAKE:
        assert decision.member is not None
        return value_text(state, option.value, decision.member)
    parameters = programs[f"action:{option.name}"].procedure.parameters
    value_texts = (value_text(state, value, p.type) for p, value in zip(parameters, option.value, strict=True))
    return f"{option.name}({', '.join(value_texts)})" if parameters else option.name


def option_labels(state: State, programs: dict[str, Program], decision: Decision) -> list[str]:
    """Return the labels of all options of a decision."""
    return [option_label(state, programs, decision, option) for option in decision.options]
