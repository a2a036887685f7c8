"""Parse a line in free form: an action by its description, and its arguments in any order.

In: a game, a playthrough at a decision, and words. Out: a `ParsedLine` of option_reader.py. If the typed order
cannot be parsed, the action is matched by its phrase ("fire at one unit") or by a word of it ("fire"), and the rest
in every order. A line that matches two actions is ambiguous, and both are reported.
"""

from collections.abc import Iterator, Sequence
from itertools import islice, permutations
from typing import NamedTuple

from rulewright.table.option_lines import option_text
from rulewright.table.option_reader import ParsedLine, UnreadReason, read_choice
from runtime.answer.value_text import value_text
from runtime.graph import nodes as graph
from runtime.play.game import Game
from runtime.play.labels import option_label
from runtime.play.options import TAKE, Decision, Option
from runtime.play.piece_options import OpenAct, indices_of, open_to
from runtime.play.playthrough import Playthrough
from runtime.play.refusal import actions_called
from runtime.play.word_binding import join_words, values_named
from runtime.state.position import State

# The most words that are permuted, and the most permutations of one line.
MOST_WORDS, MOST_ORDERS = 5, 120


def option_phrase(game: Game, state: State, decision: Decision, option: Option) -> str:
    """Return the phrase of an option: the description of an action, or the label of another option."""
    if option.kind != TAKE:
        return option_label(state, game.programs.entries, decision, option)
    procedure = game.programs.entries[f"action:{option.name}"].procedure
    argument_texts = [
        value_text(state, value, p.type) for p, value in zip(procedure.parameters, option.value, strict=True)
    ]
    return (
        f"{option_text(procedure)} ({', '.join(argument_texts)})" if len(argument_texts) > 1 else option_text(procedure)
    )


def option_phrases(game: Game, playthrough: Playthrough, decision: Decision) -> list[str]:
    """Return the phrases of all options of a decision."""
    return [option_phrase(game, playthrough.state, decision, option) for option in decision.options]


def parse_words(game: Game, playthrough: Playthrough, decision: Decision, words: Sequence[str]) -> ParsedLine:
    """Parse a line of words: in the typed order, otherwise in any order."""
    typed = read_choice(game, playthrough, decision, words)
    if not typed.unread_word or typed.reason is UnreadReason.AMBIGUOUS:
        return typed
    found: dict[tuple[int, ...], str] = {}
    unclear: list[ParsedLine] = []
    for phrase, lines in _readings(game, playthrough, decision, words):
        for line in lines:
            if not line.unread_word:
                found.setdefault(line.indices, phrase)
                break
            if line.reason is UnreadReason.AMBIGUOUS:
                unclear.append(line)
                break
    if not found and not game.choices.secret:
        acts = _match_acts(game, playthrough, decision, words)
        if unclear and acts is not None:
            # A word is only ambiguous if one of its meanings is open with the piece.
            names = {name for act in acts.values() for name in act.names}
            meanings = [each for line in unclear for each in line.meanings if each in names]
            if not acts:
                return ParsedLine((), " ".join(words), UnreadReason.NOT_OPEN)
            unclear = (
                [ParsedLine((), "", UnreadReason.AMBIGUOUS, tuple(meanings))] if meanings and len(acts) > 1 else []
            )
        found = {indices: act.phrase for indices, act in (acts or {}).items()} if not unclear else {}
    if len(found) == 1 and not unclear:
        return ParsedLine(next(iter(found)))
    if found or unclear:
        meanings = [each for line in unclear for each in line.meanings] + [
            f"{phrase} ..".strip() for phrase in found.values()
        ]
        return ParsedLine((), " ".join(words), UnreadReason.AMBIGUOUS, tuple(dict.fromkeys(meanings)))
    return typed


class MatchedAct(NamedTuple):
    """An act that matches all words: its description, and the pieces chosen in it."""

    phrase: str
    names: frozenset[str]


def _match_acts(
    game: Game, playthrough: Playthrough, decision: Decision, words: Sequence[str]
) -> dict[tuple[int, ...], MatchedAct] | None:
    """Return the acts that match all words, by options; a choice with a single candidate needs no word.

    None if the words refer to no piece, or to several.
    """
    called = {name: tuple(rest) for _, name, _, rest in _called_actions(game, playthrough, decision, words)}
    rest = next(iter(called.values()), tuple(join_words(playthrough.state, words)))
    sheets = playthrough.state.sheets
    pieces = next((matches for word in rest if (matches := values_named(playthrough.state, graph.Piece(()), word))), [])
    if len(pieces) != 1:
        return None
    piece = pieces[0]
    found: dict[tuple[int, ...], MatchedAct] = {}
    for act in open_to(game.without_listeners(), playthrough, decision, piece, refused=False).acts:
        takes = called.get(act.action) if called else rest
        if takes and all(_named_in(playthrough.state, act, word) for word in takes):
            phrase = option_text(game.programs.entries[f"action:{act.action}"].procedure)
            found.setdefault(
                indices_of(game, playthrough, act.options),
                MatchedAct(phrase, _pieces(playthrough.state, act) - {sheets[piece].name}),
            )
    return found


def _pieces(state: State, act: OpenAct) -> frozenset[str]:
    """Return the names of the pieces chosen in an act."""
    found = set()
    for each in act.chosen:
        inner = each.type.of if isinstance(each.type, graph.Many) else each.type
        if isinstance(inner, graph.Piece):
            values = each.value if isinstance(each.type, graph.Many) else (each.value,)
            found |= {state.sheets[value].name for value in values}
    return frozenset(found)


def _named_in(state: State, act: OpenAct, word: str) -> bool:
    """Return whether a word refers to a value chosen in an act, or to the hex of a chosen piece."""
    for each in act.chosen:
        inner = each.type.of if isinstance(each.type, graph.Many) else each.type
        values = each.value if isinstance(each.type, graph.Many) else (each.value,)
        if set(values_named(state, inner, word, by_place=True)) & set(values):
            return True
    return False


def _called_actions(
    game: Game, playthrough: Playthrough, decision: Decision, words: Sequence[str]
) -> Iterator[tuple[int, str, str, Sequence[str]]]:
    """Yield the actions that the beginning of a line may refer to: option index, name, phrase and rest of the line."""
    low, by_word = " ".join(words).lower(), actions_called(game, playthrough.state, words[0])
    for index, option in enumerate(decision.options):
        if option.kind != TAKE:
            continue
        phrase = option_phrase(game, playthrough.state, decision, option)
        if low == phrase.lower() or low.startswith(f"{phrase.lower()} "):
            yield index, option.name, phrase, join_words(playthrough.state, words[len(phrase.split()) :])
        elif option.name in by_word and len(words) > 1:
            yield index, option.name, phrase, join_words(playthrough.state, words[1:])


def _readings(
    game: Game, playthrough: Playthrough, decision: Decision, words: Sequence[str]
) -> Iterator[tuple[str, Iterator[ParsedLine]]]:
    """Yield the actions that a line may refer to, each with the parses of the rest."""
    for index, _, phrase, rest in _called_actions(game, playthrough, decision, words):
        yield phrase, _orders(game, playthrough, decision, [str(index + 1)], rest)
    if len(words) > 1 and not actions_called(game, playthrough.state, words[0]):
        yield "", _orders(game, playthrough, decision, [], join_words(playthrough.state, words))


def _orders(
    game: Game, playthrough: Playthrough, decision: Decision, before: list[str], rest: Sequence[str]
) -> Iterator[ParsedLine]:
    """Yield the parses of the rest of a line in every order."""
    orders = permutations(rest) if len(rest) <= MOST_WORDS else iter([tuple(rest)])
    for order in islice(orders, MOST_ORDERS):
        yield read_choice(game, playthrough, decision, [*before, *order])
