"""Rows about actions: whether one is open with what the words mention, or why not; and all that is open to a piece.

In: a state, `ReadWords` and the name of an action. Out: a `Row`; None if nothing in the words can be chosen for it.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from rulewright.explain.decision_state import OfferMoment, moments_of
from rulewright.explain.finder.bindings import MOST_CALLS, UNUSED
from rulewright.explain.finder.mentions import ReadWords
from rulewright.explain.finder.row import ACTION, OPEN, Row
from rulewright.explain.open_option_blocks import forecast_lines, open_option_blocks
from rulewright.explain.option_lines import action_phrase
from rulewright.explain.option_views import open_options
from rulewright.explain.roles import action_roles
from rulewright.explain.why_not import explain_refusals
from rulewright.games.scenarios import game_of
from rulewright.system.errors import UsageError
from runtime.answer.answer_block import plain_block
from runtime.answer.value_text import value_text
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.answer_errors import Unanswered
from runtime.graph.budget import TooMuchWork
from runtime.graph.document import DocumentLine
from runtime.play.options import TAKE
from runtime.play.piece_options import PieceOptions
from runtime.play.refusal import find_refusals
from runtime.play.refusal_parts import ActionRefusal
from runtime.play.rule_faults import BrokenRules
from runtime.state.position import State

# An action that no rule refuses but takes other things; one of another phase.
_BY_NO_RULE, _LATER = 0.6, 0.9


# The reasons for which it is not known whether something is open.
UNKNOWN = Unanswered, BrokenRules, TooMuchWork, UsageError


class ActionRows:
    """The rows about actions of one query in one state."""

    def __init__(self, state: State, query: ReadWords) -> None:
        """Enter the phases in which something is offered to who is meant, the nearest first."""
        self.state, self.query, self.game = state, query, game_of(state.graph)
        pieces = [mention.pieces[0] for mention in query.mentions if mention.pieces and not mention.is_open]
        described = [
            mention.pieces[0]
            for mention in query.mentions
            if mention.is_open and len(mention.pieces) < len(state.sheets)
        ]
        self.pieces = [*described, *pieces]
        of_other = self._asks_who and not described
        self.moments = list[OfferMoment]()
        # Without a sequence of play, or a fact that it reads, nothing is known to be offered.
        with suppress(*UNKNOWN):
            self.moments = moments_of(self.game, state, self.pieces, of_other=of_other)

    @property
    def _asks_who(self) -> bool:
        """Return whether the first words ask who acts on what is mentioned."""
        first, *others = self.query.mentions
        return first.is_open and any(each.pieces for each in others)

    def row(self, action: str, score: float) -> Row | None:
        """Return the row about an action."""
        moment = next((each for each in self.moments if action in each.actions), None)
        if moment is None:
            return None
        names = [self._name(mention.pieces, mention.places) for mention in self.query.mentions if not mention.is_open]
        agent = next((mention for mention in self.query.mentions if mention.is_open), None)
        if agent is None:
            return self._single(moment, action, names, score)
        agents = [piece for piece in agent.pieces if self.state.side[piece] == moment.side][:MOST_CALLS]
        rows = [self._single(moment, action, [self.state.sheets[each].name, *names], score) for each in agents]
        found = [row for row in rows if row]
        return _joined(found) if found else None

    def open_row(self, score: float) -> Row | None:
        """Return the row of all that is open to the first piece."""
        if not self.pieces or not self.moments:
            return None
        moment, name = self.moments[0], self.state.sheets[self.pieces[0]].name
        found = self._open_options(moment, name)
        if not found.hexes and not found.acts:
            found = self._open_options(moment, name, refused=True)
        blocks = open_option_blocks(self.game, self.state, found, moment.side)
        step_actions = [option.name for each in found.hexes for option in each.options if option.kind == TAKE]
        actions = dict.fromkeys([*step_actions, *(act.action for act in found.acts)])
        heading = f"What is open to {name}?{self._when(moment)}"
        return Row(OPEN, "open", heading, tuple(blocks), score, actions=tuple(actions))

    def _open_options(self, moment: OfferMoment, name: str, *, refused: bool = False) -> PieceOptions:
        playthrough, decision = moment.entered
        return open_options(self.game, playthrough, name, refused=refused, at=decision)

    def _place_of(self, name: str) -> str:
        """Return the name of the place of a piece, which may stand for it."""
        state = self.state
        places = (state.hex[piece] for piece, sheet in enumerate(state.sheets) if sheet.name == name)
        return next((state.board.names[place] for place in places if place >= 0), "")

    def _name(self, pieces: Sequence[int], places: Sequence[int]) -> str:
        return self.state.sheets[pieces[0]].name if pieces else self.state.board.names[places[0]]

    def _when(self, moment: OfferMoment) -> str:
        """Return the phase of a moment in brackets, if it is another than that of the position."""
        is_now = (moment.phase, moment.active) == (self.state.phase, self.state.player)
        if is_now and moment.side == moment.active:
            return ""
        return f" ({moment.title()}{', left out as things stand' if moment.is_left_out else ''})"

    def _single(self, moment: OfferMoment, action: str, names: Sequence[str], score: float) -> Row | None:
        """Return the row about an action with the pieces and places that have these names."""
        playthrough, side = moment.entered.playthrough, moment.side
        found = [each for each in find_refusals(self.game, playthrough, [action, *names]) if each.action]
        if not found or found[0].bound_word_count < 1 or not names:
            return None
        nearest = next((each for each in found if not each.reason and not each.unused_words), found[0])
        unused = len(nearest.unused_words)
        why = explain_refusals(self.game, playthrough, [action, *names], side)
        is_open = bool(why.open) and not unused
        known_actions = {action_phrase(self.game, each) for each in (action, nearest.action)}
        blocks = why.blocks(self.state.graph, known_actions)
        if is_open:
            blocks = (plain_block("Yes. This is allowed.", (), self._forecast(moment, why.open, names)),)
        heading = f"{self._heading(nearest, action, names)}{self._when(moment)}"
        actions = tuple(dict.fromkeys((action, *why.actions)))
        score *= UNUSED**unused * (1.0 if is_open or nearest.explanation else _BY_NO_RULE)
        score *= 1.0 if moment is self.moments[0] else _LATER
        return Row(ACTION, action, heading, blocks, score, actions=actions, is_open=None if unused else is_open)

    def _forecast(self, moment: OfferMoment, actions: Sequence[str], names: Sequence[str]) -> list[DocumentLine]:
        """Return the chances of an action by dice."""
        piece = next((name for name in names if name in {sheet.name for sheet in self.state.sheets}), "")
        if not piece:
            return []
        found = self._open_options(moment, piece)
        targets = {name for name in names if name != piece}
        return [*forecast_lines(self.game, self.state, found, actions, targets)]

    def _heading(self, refusal: ActionRefusal, action: str, names: Sequence[str]) -> str:
        """Return the words of an action, with its arguments: those that are bound to choices, and others as written."""
        phrases = [action_phrase(self.game, each) for each in dict.fromkeys((action, refusal.action))]
        types, arguments, written = action_roles(self.state.graph)[refusal.action].choices, list[str](), set[str]()
        for name, value in refusal.choices.items():
            values = value if isinstance(value, tuple) else (value,)
            type_ = types.get(name)
            member = type_.of if isinstance(type_, graph.Many) else type_
            if member is not None:
                texts = [value_text(self.state, each, member) for each in values]
                written.update(texts)
                arguments.append(f"{words.choice_words(name, member)} {words.list_text(texts)}")
        others = [each for each in names if written.isdisjoint((each, self._place_of(each)))]
        text = words.sentence(", ".join(phrases)).rstrip(".")
        return f"{text}: {', '.join([*others, *arguments])}?"


def _joined(rows: Sequence[Row]) -> Row:
    """Return the rows about several pieces as one: for whom it is open, and what refuses it to the others."""
    best = max(rows, key=lambda each: each.score)
    if len(rows) == 1:
        return best
    ordered = sorted(rows, key=lambda each: not each.is_open)
    blocks = tuple(replace(row.blocks[0], title=f"{row.heading} {row.blocks[0].title}") for row in ordered)
    heading = f"{ordered[0].heading.partition(':')[0]}: by whom?"
    is_open = any(each.is_open for each in rows)
    actions = dict.fromkeys(name for each in rows for name in each.actions)
    return Row(ACTION, best.name, heading, blocks, best.score, actions=tuple(actions), is_open=is_open)
