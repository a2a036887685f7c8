"""The open options of a piece as data, for the API, the page and the terminal.

In: a game, a playthrough at a decision, and the name of a piece. Out: as documented at `rulewright.open_to`.
"""

from collections.abc import Sequence
from copy import copy
from fractions import Fraction
from typing import Any, cast

from rulewright.explain.option_lines import action_phrase
from rulewright.system.errors import UsageError, suggestion_text
from runtime.answer.explain import Explanation
from runtime.answer.value_text import value_text
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.play.counterfactuals import Counterfactual, what_would_allow
from runtime.play.game import Game
from runtime.play.options import Decision, Option
from runtime.play.piece_choices import ChosenValue
from runtime.play.piece_options import BUDGET, OpenAct, PieceOptions, SearchLimits, indices_of, open_to
from runtime.play.playthrough import Playthrough
from runtime.play.previews import AccountPreview, Preview, chance_text
from runtime.play.refusal import find_refusals
from runtime.play.refusal_parts import ActionRefusal
from runtime.play.routes import ReachedHex
from runtime.play.word_binding import values_named
from runtime.players.player import as_seen
from runtime.state.position import State
from runtime.state.record import Value


def piece_called(state: State, name: str) -> int:
    """Return the index of a piece by name, ignoring case, or by the counter of it alone; else `UsageError`."""
    found = values_named(state, graph.Piece(()), name)
    if len(found) != 1:
        raise UsageError(f"there is no piece `{name}`; {suggestion_text(name, [sheet.name for sheet in state.sheets])}")
    return cast("int", found[0])


def _decision_at(game: Game, playthrough: Playthrough) -> Decision:
    """Return the current decision of a playthrough; `UsageError` if the game is over."""
    decision = game.advance(playthrough)
    if not isinstance(decision, Decision):
        raise UsageError("the game is over: nothing is open any more")
    return decision


def open_options(
    game: Game,
    playthrough: Playthrough,
    name: str,
    budget: int = BUDGET,
    *,
    refused: bool = True,
    at: Decision | None = None,
) -> PieceOptions:
    """Return the open options of a piece, as far as the side of the decision may know; by default the next decision."""
    decision = at or _decision_at(game, playthrough)
    seen = as_seen(game, playthrough, decision.side)
    return open_to(
        with_accounts(game), seen, decision, piece_called(seen.state, name), SearchLimits(budget), refused=refused
    )


def with_accounts(game: Game) -> Game:
    """Return a game that emits accounts, which previews require: itself, or a copy."""
    if game.accounts is None:
        game = copy(game)
        game.tell_accounts()
    return game


def option_numbers(game: Game, playthrough: Playthrough, take: Sequence[Sequence[Any]]) -> tuple[int, ...]:
    """Return the indices of the options in `take`, one per decision."""
    found = indices_of(game, playthrough, [option_from_data(each) for each in take])
    if take and not found:
        raise UsageError(f"no option of `take` is open: {list(take)!r:.80}")
    return found


def option_from_data(written: Sequence[Any]) -> Option:
    """Decode an option from what, name and value, where lists of JSON become tuples."""
    if len(written) != len(Option._fields):
        raise UsageError(f"an option is given by what, name and value, not by {list(written)!r:.80}")
    kind, name, value = written
    return Option(kind, name, tuple(value) if isinstance(value, list) else value)


def open_options_data(game: Game, playthrough: Playthrough, name: str, *, refused: bool) -> dict[str, Any]:
    """Return the open options of a piece as data."""
    found = open_options(game, playthrough, name, BUDGET, refused=refused)
    return _Serializer(game, playthrough.state).all(found)


# A description of the changes that `counterfactuals_data` tries.
LOOKED_AT = (
    "looked at: what is marked and noted, who is tied to whom, who stands where; not the ground, what is printed on "
    "counters, the clock or the rules"
)


def _find_counterfactuals(
    game: Game, playthrough: Playthrough, word_list: Sequence[str], side: str = ""
) -> list[Counterfactual]:
    """Return the counterfactuals of some words, as far as a side, by default that of the decision, may know."""
    return what_would_allow(game, as_seen(game, playthrough, side or _decision_at(game, playthrough).side), word_list)


def counterfactuals_data(
    game: Game, playthrough: Playthrough, word_list: Sequence[str], side: str = ""
) -> dict[str, Any]:
    """Return counterfactuals as data; raises `UsageError` if no action takes all the words."""
    written = _Serializer(game, playthrough.state)
    found = _find_counterfactuals(game, playthrough, word_list, side)
    refused = [] if found else find_refusals(game, playthrough, word_list, explains=False)
    if not found and not any(each.action and not each.unused_words for each in refused):
        raise UsageError(f"no action that is offered now takes all of `{' '.join(word_list)}`")
    return {
        "words": list(word_list),
        "refused": [written.counterfactuals(each) for each in found],
        "looked_at": LOOKED_AT,
    }


class _Serializer:
    """An encoder of results in one position."""

    def __init__(self, game: Game, state: State) -> None:
        self.game, self.state = game, state

    def all(self, found: PieceOptions) -> dict[str, Any]:
        """Encode the open options of a piece."""
        hex_index = self.state.hex[found.piece]
        return {
            "piece": self.state.sheets[found.piece].name,
            "hex": self.state.board.names[hex_index] if hex_index >= 0 else None,
            "hexes": [self.hex(each) for each in found.hexes],
            "acts": [self.act(act) for act in found.acts],
            "refused": [self.refusal(refusal) for refusal in found.refusals],
            "cut": found.is_cut,
            "tried": found.trial_count,
        }

    def hex(self, each: ReachedHex) -> dict[str, Any]:
        """Encode a reached hex."""
        names = self.state.board.names
        return {
            "hex": names[each.hex],
            "cost": _value_text(self.state, each.cost, each.type),
            "left": _value_text(self.state, each.allowance, each.type),
            "cost_number": _number(each.cost),
            "left_number": _number(each.allowance),
            "route": [names[h] for h in each.route],
            "take": [list(option) for option in each.options],
            "stops": each.stops,
            "asks_others": each.asks_others,
            "others": [action_phrase(self.game, name) for name in each.others],
        }

    def act(self, each: OpenAct) -> dict[str, Any]:
        """Encode an act."""
        return {
            "action": each.action,
            "does": action_phrase(self.game, each.action),
            "take": [list(option) for option in each.options],
            "chosen": [self.chosen(choice) for choice in each.chosen],
            "throws": each.throws,
            "moves_to": None if each.moves_to is None else self.state.board.names[each.moves_to],
            "preview": None if each.preview is None else _preview_data(each.preview),
        }

    def chosen(self, choice: ChosenValue) -> dict[str, Any]:
        """Encode a chosen value: as text, and as names of hexes or pieces."""
        many = choice.value if isinstance(choice.type, graph.Many) else (choice.value,)
        inner = choice.type.of if isinstance(choice.type, graph.Many) else choice.type
        kind = {graph.Hex: "hex", graph.Piece: "piece"}.get(type(inner), "")
        names = [value_text(self.state, each, inner) for each in many]
        return {
            "name": choice.name,
            "text": value_text(self.state, choice.value, choice.type),
            "kind": kind,
            "names": names,
        }

    def refusal(self, each: ActionRefusal) -> dict[str, Any]:
        """Encode a refusal."""
        return {
            "action": each.action,
            "does": action_phrase(self.game, each.action),
            "why": words.sentence(each.reason),
            "rules": _rules(each.explanation),
        }

    def counterfactuals(self, each: Counterfactual) -> dict[str, Any]:
        """Encode the counterfactuals of an action."""
        changes = [[change.text for change in changes] for changes in each.changes]
        return {**self.refusal(each.refusal), "changes": changes, "tried": each.trial_count, "cut": each.is_cut}


def _preview_data(preview: Preview) -> dict[str, Any]:
    """Encode a preview: its sheets, whether dice are thrown, the number of sampled results (0: exact)."""
    return {
        "throws": preview.throws,
        "sampled": preview.sampled,
        "stopped": preview.stop_reason,
        "sheets": [_sheet(sheet) for sheet in preview.sheets],
    }


def _sheet(sheet: AccountPreview) -> dict[str, Any]:
    return {
        "text": sheet.text,
        "cites": list(sheet.cites),
        "fields": [{"name": words.readable_name(field.name), "text": field.text} for field in sheet.fields],
        "chances": [
            {"result": result, "chance": float(chance), "text": chance_text(chance)} for result, chance in sheet.chances
        ],
    }


def _rules(explanation: Explanation | None) -> list[dict[str, Any]]:
    """Encode the rules that decided a refusal, stronger ones first."""
    if explanation is None:
        return []
    return [
        {"label": each.label, "says": each.conclusion, "prose": each.prose, "cites": list(each.cites)}
        for each in explanation.applied_rules()
    ]


def _value_text(state: State, value: Value, type_: graph.Number | None) -> str | None:
    return None if value is None or type_ is None else value_text(state, value, type_)


def _number(value: Value) -> float | None:
    return float(value) if isinstance(value, int | Fraction) else None
