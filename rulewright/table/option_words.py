"""The words that denote options: which options a word matches, and which words stand for a choice that was made.

In: a decision, and a word. Out: the indices of the options that it denotes, by the first form of reference that matches
any: a label, an ending, an action, a number, a counter, a hex, a member of an enumeration, a prefix.
"""

from collections.abc import Sequence

from rulewright.table.option_lines import option_text
from runtime.answer.value_text import value_text
from runtime.graph import nodes as graph
from runtime.play.game import Game
from runtime.play.labels import option_labels
from runtime.play.options import END, PICK, STOP, TAKE, Decision
from runtime.play.playthrough import Playthrough
from runtime.play.refusal import actions_called
from runtime.play.word_binding import values_named
from runtime.state.position import State
from runtime.state.record import Value

ENDINGS = (".", "end", "stop", "done", "pass", "none")


def is_member(decision: Decision, index: int) -> bool:
    """Return whether an option is a member of the set of candidates."""
    return decision.options[index].kind == PICK


def is_choosing_set(game: Game, playthrough: Playthrough) -> bool:
    """Return whether the current choice is that of a set."""
    call = playthrough.calls[-1]
    step = game.step_of(call)
    return isinstance(step, graph.Choose) and step.how == "any"


def matching_options(game: Game, playthrough: Playthrough, decision: Decision, word: str) -> list[int]:
    """Return the options that a word refers to, by the first form of reference that matches any."""
    state, low = playthrough.state, word.lower()
    labels = [text.lower() for text in option_labels(state, game.programs.entries, decision)]
    matches_by_form = [
        [index for index, text in enumerate(labels) if text == low][:1],
        [index for index, o in enumerate(decision.options) if o.kind in (END, STOP) and low in ENDINGS],
        [index for index, o in enumerate(decision.options) if o.kind == TAKE and o.name == low],
        [index for index in range(len(labels)) if word == str(index + 1)],
    ]
    if isinstance(decision.member, graph.Piece):
        pieces = {index: o.value for index, o in enumerate(decision.options) if o.kind == PICK}
        matches_by_form.append([index for index, piece in pieces.items() if state.sheets[piece].counter.lower() == low])
        space = next((place for name, place in state.board.index.items() if name.lower() == low), None)
        matches_by_form.append(
            [index for index, piece in pieces.items() if space is not None and state.hex[piece] == space]
        )
    elif isinstance(decision.member, graph.Enum):
        members = values_named(state, decision.member, word)
        matches_by_form.append(
            [index for index, o in enumerate(decision.options) if o.kind == PICK and o.value in members]
        )
    matches_by_form.append([index for index, text in enumerate(labels) if text.startswith(low)])
    return next((matches for matches in matches_by_form if matches), [])


def piece_features(state: State, decision: Decision, index: int) -> Value:
    """Return the distinguishing features of a piece: counter, place, marks and tracks; the index of another option."""
    piece = decision.options[index].value
    if not isinstance(decision.member, graph.Piece) or not is_member(decision, index):
        return index
    sheet = state.sheets[piece]
    marks = tuple(sorted(key for key, on in state.marks.items() if piece in on and key.startswith(f"{sheet.kind}.")))
    notes = tuple(
        (key, str(notes[piece]))
        for key, notes in sorted(state.tracks.items())
        if key.startswith(f"{sheet.kind}.") and piece in notes
    )
    tied = tuple(name for name, pairs in sorted(state.pairs.items()) if piece in pairs.lefts or piece in pairs.rights)
    place = (state.hex[piece], state.place[piece])
    return piece if tied else (sheet.side, sheet.counter, sheet.force, place, marks, notes)


def words_for_chosen(game: Game, playthrough: Playthrough) -> set[str]:
    """Return the words for all choices within the running procedures."""
    found: set[str] = set()
    for call in playthrough.calls:
        program = game.program_of(call)
        for step, member in zip(program.code, program.members, strict=True):
            if isinstance(step, graph.Choose) and member is not None and not step.how and step.name in call.names:
                found |= value_words(playthrough.state, member, call.names[step.name])
    return found


def without_chosen(game: Game, playthrough: Playthrough, decision: Decision, words: Sequence[str]) -> list[str]:
    """Remove the words for the choices before the current one, and for the action itself.

    The only action that is open begins without a decision: it may be named by its name, or at the beginning of the line
    by its phrase or a word of that. A word for a current candidate is not removed.
    """
    if not isinstance(
        game.programs.entries[playthrough.calls[-1].key].code[playthrough.calls[-1].offset], graph.Choose
    ):
        return list(words)
    actions = {call.key.removeprefix("action:") for call in playthrough.calls if call.key.startswith("action:")}
    if not matching_options(game, playthrough, decision, words[0]):
        phrases = [option_text(game.programs.entries[f"action:{name}"].procedure).lower().split() for name in actions]
        phrase_length = max(
            (len(phrase) for phrase in phrases if [word.lower() for word in words[: len(phrase)]] == phrase), default=0
        )
        words = words[max(phrase_length, int(bool(actions & actions_called(game, playthrough.state, words[0])))) :]
    before = words_for_chosen(game, playthrough) | actions
    chosen_words = {
        word for word in words if word.lower() in before and not matching_options(game, playthrough, decision, word)
    }
    return [word for word in words if word not in chosen_words]


def value_words(state: State, type_: graph.Type | None, value: Value) -> set[str]:
    """Return the words for a value: of a piece its name and its counter."""
    if type_ is None:
        return set()
    counter = state.sheets[value].counter if isinstance(type_, graph.Piece) else ""
    return {name.lower() for name in (value_text(state, value, type_), counter) if name}
