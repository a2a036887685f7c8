"""Format the question of a decision, and remarks on its options: grounds, and the pieces with what they have.

In: a playthrough at a decision, or a state. Out: texts without line breaks.
"""

from collections.abc import Sequence
from fractions import Fraction

from rulewright.explain.views.chart import printed_features
from runtime.answer.value_text import value_text, with_space_noun
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.play.game import Game
from runtime.play.options import Decision, Option
from runtime.play.playthrough import CHOSEN, Playthrough
from runtime.state.position import GONE, State
from runtime.state.record import Value


def decision_question(game: Game, playthrough: Playthrough, decision: Decision) -> str:
    """Return the question of a decision: the action, the previous choices, and what is to be chosen."""
    call = playthrough.calls[-1]
    program = game.program_of(call)
    step = game.step_of(call)
    if isinstance(step, graph.Offer):
        action_text = "what next" if is_between_actions(game, playthrough) else option_text(program.procedure)
        return f"{action_text}{_chosen_text(game, playthrough)}"
    noun = {graph.Hex: with_space_noun(playthrough.state, "hex"), graph.Piece: "piece"}.get(type(decision.member), "")
    choice_text = with_space_noun(playthrough.state, words.choice_words(_call_name(step), decision.member))
    chooses_set = isinstance(step, graph.Choose) and bool(step.how)
    kind = f" ({noun})" if noun and noun not in choice_text and not chooses_set else ""
    action_text = f"{option_text(program.procedure)}{_chosen_text(game, playthrough)}"
    return f"{action_text}: {'which' if chooses_set else 'choose'} {choice_text}{kind}"


def is_between_actions(game: Game, playthrough: Playthrough) -> bool:
    """Return whether a decision offers actions and is not within an action; then its question is only "what next"."""
    call = playthrough.calls[-1]
    program = game.program_of(call)
    return isinstance(game.step_of(call), graph.Offer) and program.procedure.what != "action"


def _call_name(step: object) -> str:
    """Return the variable that a choice binds; "" for other steps."""
    return step.name if isinstance(step, graph.Choose) else ""


def option_text(procedure: graph.Procedure) -> str:
    """Return the description of an action: its sentence if it has no placeholders, otherwise its prose or its name."""
    if procedure.reads and "{" not in procedure.reads:
        return procedure.reads
    first = procedure.prose.split(". ")[0].rstrip(".")
    return first[:1].lower() + first[1:] if first else words.readable_name(procedure.name)


def action_phrase(game: Game, action: str) -> str:
    """Return the description of an action by its name."""
    program = game.programs.entries.get(f"action:{action}")
    return option_text(program.procedure) if program else words.readable_name(action)


def _chosen_text(game: Game, playthrough: Playthrough) -> str:
    """Format the choices within the current actions: `, m4-2.1, 0803`."""
    found: list[str] = []
    for call in playthrough.calls:
        program = game.program_of(call)
        if program.procedure.what != "action":
            continue
        for step, member in zip(program.steps[: call.offset], program.members, strict=False):
            if isinstance(step, graph.Choose) and member is not None and step.name in call.names:
                type_ = graph.Many("set", member) if step.how else member
                found.append(value_text(playthrough.state, call.names[step.name], type_))
        chosen = call.names.get(CHOSEN, ())
        member = program.members[call.offset]
        found += [value_text(playthrough.state, value, member) for value in chosen if member is not None]
    return f" ({', '.join(dict.fromkeys(found))})" if found else ""


def ground_text(state: State, h: int) -> str:
    """Format the features of a hex."""
    return ", ".join(words.flag("hex", feature, state.graph.vocabulary) for feature in printed_features(state, h))


def option_remark(state: State, decision: Decision, option: Option) -> str:
    """Return a remark on an option: the ground and pieces of a hex, or the details of a piece."""
    match decision.member:
        case graph.Hex():
            pieces = state.at.get(option.value, ())
            return "; ".join(part for part in (ground_text(state, option.value), _pieces_text(state, pieces)) if part)
        case graph.Piece():
            return piece_words(state, option.value)
        case _:
            return ""


def _pieces_text(state: State, pieces: Sequence[int]) -> str:
    """Format the names of pieces."""
    return ", ".join(state.sheets[piece].name for piece in pieces)


def piece_words(state: State, piece: int) -> str:
    """Format the place, the printed factors and the marks of a piece."""
    sheet = state.sheets[piece]
    space = state.hex[piece]
    location = state.board.names[space] if space >= 0 else "gone" if space == GONE else _arrival_text(state, piece)
    place_text = (
        "" if state.place[piece] == "open" else words.flag(sheet.kind, state.place[piece], state.graph.vocabulary)
    )
    return "; ".join(
        part
        for part in (
            f"{location} {place_text}".strip(),
            _factors_text(state, piece),
            ", ".join(piece_marks(state, piece)),
        )
        if part
    )


def _arrival_text(state: State, piece: int) -> str:
    """Format the turn of arrival of a piece that is off the map."""
    turn = state.sheets[piece].arrives
    return f"comes in turn {turn}" if turn > state.turn else "off the map"


def _factors_text(state: State, piece: int) -> str:
    """Format the printed factors of a piece, without units."""
    kind = state.graph.vocabulary.kinds[state.sheets[piece].kind]
    on_it = state.sheets[piece].printed
    return ", ".join(
        f"{words.readable_name(p.name)} {_without_unit(on_it[p.name])}" for p in kind.printed if p.name in on_it
    )


def _without_unit(value: Value) -> str:
    """Format a number without its unit, or an identifier without an article."""
    return words.number(value) if isinstance(value, int | Fraction) else words.readable_name(str(value))


def piece_marks(state: State, piece: int) -> list[str]:
    """Return the marks of a piece."""
    kind = state.sheets[piece].kind
    flags = state.graph.vocabulary.flags
    return [
        words.flag(kind, flags[key].name, state.graph.vocabulary)
        for key, on in sorted(state.marks.items())
        if piece in on and key.startswith(f"{kind}.")
    ]
