"""The open options of a decision as a numbered list.

In: a playthrough at a decision. Out: lines; the number before an option, from 1, is what a player types to take it.
"""

from collections.abc import Iterator

from rulewright.explain.option_lines import option_remark, option_text
from runtime.answer.value_text import value_text
from runtime.play.game import Game
from runtime.play.labels import option_label
from runtime.play.options import END, PICK, TAKE, Decision, Option
from runtime.play.playthrough import Playthrough
from runtime.state.position import State

# The most options that have a line each; more stand one after the other.
MOST_LINES = 20


def numbered_options(game: Game, playthrough: Playthrough, decision: Decision) -> Iterator[str]:
    """Yield the lines of the open options."""
    state = playthrough.state
    texts = [_option_phrase(game, state, decision, option) for option in decision.options]
    if len(texts) > MOST_LINES:
        yield "   ".join(f"{number} {text}" for number, text in enumerate(texts, 1))
        return
    for number, (text, option) in enumerate(zip(texts, decision.options, strict=True), 1):
        remark = option_remark(state, decision, option) if option.kind == PICK else ""
        yield f"{number:>4}  {text}  {remark}".rstrip()


def _option_phrase(game: Game, state: State, decision: Decision, option: Option) -> str:
    """Return the description of an action with its arguments, or the label of another option."""
    if option.kind == END:
        return "end: no more of this"
    if option.kind != TAKE:
        return option_label(state, game.programs.entries, decision, option)
    procedure = game.programs.entries[f"action:{option.name}"].procedure
    pairs = zip(procedure.parameters, option.value, strict=True)
    arguments = [value_text(state, value, parameter.type) for parameter, value in pairs]
    return f"{option_text(procedure)} ({', '.join(arguments)})" if len(arguments) > 1 else option_text(procedure)
