"""The options of a piece, as data: what the page and the terminal show of it.

In: a game, a playthrough at a decision, and the name of a piece. Out: what `rulewright.open_to` says that it returns.
"""

from collections.abc import Sequence
from copy import copy
from fractions import Fraction
from typing import Any

from rulewright.errors import UsageError, suggestion_text
from rulewright.table.option_lines import action_phrase
from runtime.answer.explain import Explanation
from runtime.answer.value_text import value_text
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.play.choices import Decision, Option
from runtime.play.counterfactuals import Counterfactual, what_would_allow
from runtime.play.game import Game
from runtime.play.head_search import ChosenValue
from runtime.play.piece_options import BUDGET, Limits, OpenAct, OpenToPiece, indices_of, open_to
from runtime.play.playthrough import Playthrough
from runtime.play.previews import AccountPreview, Preview, chance_text
from runtime.play.refusal_parts import Refusal
from runtime.play.routes import ReachedHex
from runtime.players.player import as_seen
from runtime.state.position import State
from runtime.state.record import Value


def piece_called(state: State, name: str) -> int:
    """Find a piece by its name."""
    low = name.lower()
    found = next((piece for piece, sheet in enumerate(state.sheets) if sheet.name.lower() == low), None)
    if found is None:
        raise UsageError(f"there is no piece `{name}`; {suggestion_text(name, [sheet.name for sheet in state.sheets])}")
    return found


def decision_at(game: Game, playthrough: Playthrough) -> Decision:
    """Return the decision at which a playthrough stands."""
    now = game.advance(playthrough)
    if not isinstance(now, Decision):
        raise UsageError("the game is over: nothing is open any more")
    return now


def open_options(
    game: Game, playthrough: Playthrough, name: str, budget: int = BUDGET, *, refused: bool = True
) -> OpenToPiece:
    """Try out what is open to a piece, as far as the side that is asked may know."""
    now = decision_at(game, playthrough)
    seen = as_seen(game, playthrough, now.side)
    return open_to(with_accounts(game), seen, now, piece_called(seen.state, name), Limits(budget), refused=refused)


def with_accounts(game: Game) -> Game:
    """Return a game that tells accounts, as previews need: itself, or a copy of it that does."""
    if game.accounts is None:
        game = copy(game)
        game.tell_accounts()
    return game


def option_numbers(game: Game, playthrough: Playthrough, take: Sequence[Sequence[Any]]) -> tuple[int, ...]:
    """Return the places of the options in `take` among those of the decisions to come, as play asks for them."""
    return indices_of(game, playthrough, [option_from_data(each) for each in take])


def option_from_data(written: Sequence[Any]) -> Option:
    """Read an option from what, name and value; JSON has a list where its value is a tuple."""
    what, name, value = written
    return Option(what, name, tuple(value) if isinstance(value, list) else value)


def open_options_data(
    game: Game, playthrough: Playthrough, name: str, budget: int = BUDGET, *, refused: bool = True
) -> dict[str, Any]:
    """Write what is open to a piece as data."""
    found = open_options(game, playthrough, name, budget, refused=refused)
    return _Serializer(game, playthrough.state).all(found)


# What is changed for `counterfactuals_data`, and what is not.
LOOKED_AT = (
    "looked at: what is marked and noted, who is tied to whom, who stands where; not the ground, what is printed on "
    "counters, the clock or the rules"
)


def find_counterfactuals(
    game: Game, playthrough: Playthrough, word_list: Sequence[str], side: str = ""
) -> list[Counterfactual]:
    """Find what would allow what some words name, as far as a side may know; "": the one that is asked."""
    return what_would_allow(game, as_seen(game, playthrough, side or decision_at(game, playthrough).side), word_list)


def counterfactuals_data(
    game: Game, playthrough: Playthrough, word_list: Sequence[str], side: str = ""
) -> dict[str, Any]:
    """Write what would allow something as data."""
    written = _Serializer(game, playthrough.state)
    found = find_counterfactuals(game, playthrough, word_list, side)
    return {
        "asked": list(word_list),
        "refused": [written.counterfactuals(each) for each in found],
        "looked_at": LOOKED_AT,
    }


class _Serializer:
    """Writes what was found in one position."""

    def __init__(self, game: Game, state: State) -> None:
        self.game, self.state = game, state

    def all(self, found: OpenToPiece) -> dict[str, Any]:
        """Write all of it."""
        here = self.state.hex[found.piece]
        return {
            "piece": self.state.sheets[found.piece].name,
            "hex": self.state.board.names[here] if here >= 0 else None,
            "hexes": [self.hex(each) for each in found.hexes],
            "acts": [self.act(each) for each in found.acts],
            "refused": [self.refusal(each) for each in found.refused],
            "cut": found.cut,
            "tried": found.tried,
        }

    def hex(self, each: ReachedHex) -> dict[str, Any]:
        """Write one hex that can be reached."""
        names = self.state.board.names
        return {
            "hex": names[each.hex],
            "cost": _value_text(self.state, each.cost, each.type),
            "left": _value_text(self.state, each.left, each.type),
            "cost_number": _number(each.cost),
            "left_number": _number(each.left),
            "route": [names[h] for h in each.route],
            "take": [list(option) for option in each.options],
            "stops": each.stops,
            "asks_others": each.asks_others,
            "others": [action_phrase(self.game, name) for name in each.others],
        }

    def act(self, each: OpenAct) -> dict[str, Any]:
        """Write one act."""
        return {
            "action": each.action,
            "does": action_phrase(self.game, each.action),
            "take": [list(option) for option in each.options],
            "chosen": [self.chosen(one) for one in each.chosen],
            "throws": each.throws,
            "moves_to": None if each.moves_to is None else self.state.board.names[each.moves_to],
            "preview": None if each.preview is None else preview_data(each.preview),
        }

    def chosen(self, one: ChosenValue) -> dict[str, Any]:
        """Write what was chosen: in words, and the names of its hexes or pieces."""
        many = one.value if isinstance(one.type, graph.Many) else (one.value,)
        inner = one.type.of if isinstance(one.type, graph.Many) else one.type
        kind = {graph.Hex: "hex", graph.Piece: "piece"}.get(type(inner), "")
        names = [value_text(self.state, each, inner) for each in many]
        return {"name": one.name, "said": value_text(self.state, one.value, one.type), "kind": kind, "names": names}

    def refusal(self, each: Refusal) -> dict[str, Any]:
        """Write one refusal."""
        return {
            "action": each.action,
            "does": action_phrase(self.game, each.action),
            "why": words.sentence(each.reason),
            "rules": _rules(each.explanation),
        }

    def counterfactuals(self, each: Counterfactual) -> dict[str, Any]:
        """Write what would allow one action."""
        changes = [[change.text for change in changes] for changes in each.changes]
        return {**self.refusal(each.refusal), "changes": changes, "tried": each.tried, "cut": each.cut}


def preview_data(preview: Preview) -> dict[str, Any]:
    """Write what a choice leads to: its sheets, whether dice are thrown, how many results were sampled (0: exact)."""
    return {
        "throws": preview.throws,
        "sampled": preview.sampled,
        "stopped": preview.stopped,
        "sheets": [_sheet(each) for each in preview.sheets],
    }


def _sheet(sheet: AccountPreview) -> dict[str, Any]:
    return {
        "text": sheet.text,
        "cites": list(sheet.cites),
        "fields": [{"name": words.readable_name(each.name), "said": each.text} for each in sheet.fields],
        "chances": [
            {"result": result, "chance": float(chance), "said": chance_text(chance)} for result, chance in sheet.chances
        ],
    }


def _rules(explanation: Explanation | None) -> list[dict[str, Any]]:
    """List the rules that decided a refusal, those that were stronger first."""
    if explanation is None:
        return []
    return [
        {"label": each.label, "says": each.says, "prose": each.prose, "cites": list(each.cites)}
        for each in explanation.applied_rules()
    ]


def _value_text(state: State, value: Value, type_: graph.Number | None) -> str | None:
    return None if value is None or type_ is None else value_text(state, value, type_)


def _number(value: Value) -> float | None:
    return float(value) if isinstance(value, int | Fraction) else None
