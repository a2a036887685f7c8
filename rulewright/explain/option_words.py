"""The words that stand for choices that were made, in a line about the current one.

In: a playthrough at a decision, and words of a player. Out: the words without those.
"""

from collections.abc import Sequence

from runtime.answer.value_text import value_text
from runtime.graph import nodes as graph
from runtime.play.game import Game
from runtime.play.playthrough import Playthrough
from runtime.state.position import State
from runtime.state.record import Value


def without_chosen(game: Game, playthrough: Playthrough, words: Sequence[str]) -> list[str]:
    """Remove the words for the choices before the current one, and for the action itself."""
    if not isinstance(game.step_of(playthrough.calls[-1]), graph.Choose):
        return list(words)
    before = {call.key.removeprefix("action:") for call in playthrough.calls if call.key.startswith("action:")}
    for call in playthrough.calls:
        program = game.program_of(call)
        for step, member in program.choices():
            if not step.how and step.name in call.names:
                before |= _value_words(playthrough.state, member, call.names[step.name])
    return [word for word in words if word.lower() not in before]


def _value_words(state: State, type_: graph.Type, value: Value) -> set[str]:
    """Return the words for a value: of a piece its name and its counter."""
    counter = state.sheets[value].counter if isinstance(type_, graph.Piece) else ""
    return {name.lower() for name in (value_text(state, value, type_), counter) if name}
