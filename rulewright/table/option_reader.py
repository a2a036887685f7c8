"""Parse a player's line to options of the current and the following decisions.

In: a playthrough at a decision, and words. Out: a `ParsedLine`: the options to take, one per decision, or the
word that could not be resolved. All options are applied to a copy first, so that a line is taken completely or not at
all; parsing stops at a die or another player's decision, whose results are unknown.

A word is the label of an option, its number, an action, a piece by its name or its counter, a hex, a member of an
enumeration by its name or its phrase (of several words), a prefix of any of these, or the hex of a piece. At an offer,
a word may also be a candidate of the first choice of an action: `m4-2.1 0803` moves that piece without the name of the
action. If every step is a separate action, the last piece is the implicit subject: `elder-1.1 B3 C3`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

from rulewright.table.option_lines import option_text
from rulewright.table.option_words import (
    ENDINGS,
    is_choosing_set,
    is_member,
    matching_options,
    piece_features,
    value_words,
    without_chosen,
    words_for_chosen,
)
from runtime.graph import nodes as graph
from runtime.play.game import FinishedGame, Game
from runtime.play.labels import option_labels
from runtime.play.options import END, PICK, STOP, TAKE, Decision
from runtime.play.playthrough import CHOSEN, Playthrough
from runtime.play.word_binding import join_words
from runtime.state.record import Value

ALL = "all"
CHOSEN_ALREADY = "that is chosen already; `list` shows what is open now"


class UnreadReason(Enum):
    """A reason why a word could not be resolved that requires a longer answer: it is ambiguous, or not open."""

    AMBIGUOUS = "ambiguous"
    NOT_OPEN = "not open"


@dataclass(frozen=True, slots=True)
class ParsedLine:
    """The result of parsing a line.

    `unread_word` is the word that could not be resolved, "" if there is none, and `reason` the reason, or a sentence;
    `meanings` are its possible meanings, and `playthrough` is the copy after the words before it.
    """

    indices: tuple[int, ...]
    unread_word: str = ""
    reason: UnreadReason | str = ""
    meanings: tuple[str, ...] = ()
    playthrough: Playthrough | None = None


class _Stuck(Exception):  # noqa: N818 -- how reading stops
    def __init__(self, word: str, reason: UnreadReason | str, meanings: Sequence[str] = ()) -> None:
        super().__init__(word)
        self.line = ParsedLine((), word, reason, tuple(meanings))


def read_choice(game: Game, playthrough: Playthrough, decision: Decision, words: Sequence[str]) -> ParsedLine:
    """Parse a line of words."""
    reader = _OptionParser(game, playthrough.copy(), decision.side)
    try:
        return ParsedLine(
            tuple(reader.read(_open_words(game, playthrough, decision, join_words(playthrough.state, words))))
        )
    except _Stuck as stuck:
        return replace(stuck.line, playthrough=reader.playthrough)


class _OptionParser:
    """A parser of one line, with a copy of the game."""

    def __init__(self, game: Game, playthrough: Playthrough, side: str) -> None:
        self.game = game
        self.playthrough = playthrough
        self.side = side
        self.dice = len(playthrough.dice)
        self.option_indices: list[int] = []
        self.piece = ""  # the piece named last
        self.begun_count = 0  # actions that were begun by words

    def read(self, words: list[str]) -> list[int]:
        """Parse the words from left to right; return the options."""
        while words:
            decision = self.decision_for(words[0])
            ended, deep = words[0].lower() in ENDINGS, self.depth_of_offer()
            if is_choosing_set(self.game, self.playthrough):
                self.fill_set(decision, words)
                continue
            before = words_for_chosen(self.game, self.playthrough)
            index = self.option_named(decision, words[0])
            if index is None:
                self.take(self.enter_action(decision, words))
            else:
                if is_member(decision, index):
                    before |= value_words(self.playthrough.state, decision.member, decision.options[index].value)
                words.pop(0)
                if isinstance(decision.member, graph.Piece) and is_member(decision, index):
                    self.piece = self.playthrough.state.sheets[decision.options[index].value].name
                self.take(index)
            self.skip_bound(words, before)
            if words and words[0].lower() in ENDINGS and not ended and self.depth_of_offer() < deep:
                words.pop(0)  # The offer that the word ends has already ended.
        return self.option_indices

    def depth_of_offer(self) -> int:
        """Return the index in the call stack of the innermost procedure at an offer; -1 if there is none."""
        self.game.advance(self.playthrough)
        code = [self.game.step_of(call) for call in self.playthrough.calls]
        return max((depth for depth, step in enumerate(code) if isinstance(step, graph.Offer)), default=-1)

    def decision_for(self, word: str) -> Decision:
        """Return the decision that a word applies to; `_Stuck` if it cannot be reached without dice or another side."""
        decision = self.game.advance(self.playthrough)
        if isinstance(decision, FinishedGame):
            raise _Stuck(word, "the game ends before that")
        if len(self.playthrough.dice) > self.dice:
            raise _Stuck(word, "a die is thrown before that")
        if decision.side != self.side:
            raise _Stuck(word, f"{decision.side} chooses before that")
        return decision

    def take(self, index: int) -> None:
        """Apply an option to the copy."""
        decision = self.game.advance(self.playthrough)
        assert isinstance(decision, Decision)
        self.game.apply(self.playthrough, decision, index)
        self.option_indices.append(index)

    def option_named(self, decision: Decision, word: str) -> int | None:
        """Return the option that a word refers to, the first of indistinguishable pieces; None if there is none."""
        found = matching_options(self.game, self.playthrough, decision, word)
        if len(found) > 1 and not self.are_indistinguishable(decision, found):
            labels = option_labels(self.playthrough.state, self.game.programs.entries, decision)
            raise _Stuck(word, UnreadReason.AMBIGUOUS, [labels[index] for index in found])
        return found[0] if found else None

    def are_indistinguishable(self, decision: Decision, found: Sequence[int]) -> bool:
        """Return whether options are indistinguishable pieces."""
        return len({piece_features(self.playthrough.state, decision, index) for index in found}) == 1

    def action_with_candidates(self, decision: Decision, words: Sequence[str]) -> int:
        """Return the only action of an offer whose choices the words can be candidates of."""
        word = words[0]
        actions = [
            index
            for index, option in enumerate(decision.options)
            if option.kind == TAKE and self.accepts_word(decision, index, word)
        ]
        labels = option_labels(self.playthrough.state, self.game.programs.entries, decision)
        if len(actions) > 1 and len(words) > 1:
            match_counts = {index: count for index in actions if (count := self.actions_of(index, words)) is not None}
            actions = [index for index, count in match_counts.items() if count == min(match_counts.values())] or actions
        if len(actions) == 1:
            return actions[0]
        if actions:
            procedures = [
                self.game.programs.entries[f"action:{decision.options[index].name}"].procedure for index in actions
            ]
            line = " ".join(words)
            raise _Stuck(word, UnreadReason.AMBIGUOUS, [f"{option_text(each)} {line}" for each in procedures])
        suggestions = [name for name in labels if name.lower().startswith(word[:2].lower()) and "_" not in name]
        raise _Stuck(word, UnreadReason.NOT_OPEN, suggestions[:6])

    def enter_action(self, decision: Decision, words: list[str]) -> int:
        """Return the action that a word implies, alone or with the last piece as its implicit subject."""
        self.begun_count += 1
        try:
            return self.action_with_candidates(decision, words)
        except _Stuck:
            if not self.piece or not self.continues_with_piece(decision, words[0]):
                raise
            words.insert(0, self.piece)
            return self.action_with_candidates(decision, words)

    def actions_of(self, index: int, words: Sequence[str]) -> int | None:
        """Return the number of actions that a line starts after this one; None if it cannot be parsed.

        Of an ambiguous line, the actions before the ambiguous word are counted.
        """
        reader = _OptionParser(self.game, self.playthrough.copy(), self.side)
        reader.dice, reader.piece = self.dice, self.piece
        try:
            reader.take(index)
            reader.read(list(words))
        except _Stuck as stuck:
            return reader.begun_count if stuck.line.reason is UnreadReason.AMBIGUOUS else None
        return reader.begun_count

    def continues_with_piece(self, decision: Decision, word: str) -> bool:
        """Return whether an action would accept the last piece, and then a word."""
        actions = (index for index, option in enumerate(decision.options) if option.kind == TAKE)
        return any(
            self.accepts_piece_and_word(decision, index, word)
            for index in actions
            if self.accepts_word(decision, index, self.piece)
        )

    def accepts_piece_and_word(self, decision: Decision, index: int, word: str) -> bool:
        """Return whether one action would accept the last piece, and then a word."""
        copied = self.playthrough.copy()
        current_decision = decision
        for step in (index, None):
            found = [step] if step is not None else matching_options(self.game, copied, current_decision, self.piece)
            if not found:
                return False
            self.game.apply(copied, current_decision, found[0])
            next_decision = self.game.advance(copied)
            if (
                not isinstance(next_decision, Decision)
                or next_decision.side != self.side
                or len(copied.dice) > self.dice
            ):
                return False
            current_decision = next_decision
        return bool(matching_options(self.game, copied, current_decision, word))

    def accepts_word(self, decision: Decision, index: int, word: str) -> bool:
        """Return whether a word is a candidate of the next choice of an action, or its forced choice."""
        copied = self.playthrough.copy()
        self.game.apply(copied, decision, index)
        next_decision = self.game.advance(copied)
        if word.lower() in words_for_chosen(self.game, copied) - words_for_chosen(self.game, self.playthrough):
            return True
        fresh = (
            isinstance(next_decision, Decision) and next_decision.side == self.side and len(copied.dice) == self.dice
        )
        return (
            fresh
            and isinstance(next_decision, Decision)
            and bool(matching_options(self.game, copied, next_decision, word))
        )

    def skip_bound(self, words: list[str], before: set[str]) -> None:
        """Remove words for forced choices: a single candidate is taken without a decision."""
        self.game.advance(self.playthrough)
        fresh = words_for_chosen(self.game, self.playthrough) - before
        while words and words[0].lower() in fresh:
            fresh.remove(words.pop(0).lower())

    def fill_set(self, decision: Decision, words: list[str]) -> None:
        """Add the members that the words refer to to a set, in any order, and end the choice."""
        question = decision.question
        if words[0].lower() in ENDINGS:
            self.take(self.ending_option(decision, words.pop(0)))
            return
        values: list[Value] = []
        if words[0].lower() == ALL:
            words.pop(0)
            values = [option.value for option in decision.options if option.kind == PICK]
            self.add(question, values, "")
        else:
            last = words[0]
            while words and (
                found := [
                    i
                    for i in matching_options(self.game, self.playthrough, decision, words[0])
                    if is_member(decision, i)
                ]
            ):
                fresh = [decision.options[i].value for i in found if decision.options[i].value not in values]
                values += fresh if self.are_indistinguishable(decision, found) and len(found) == 1 else fresh[:1]
                last = words.pop(0)
            if not values:
                raise _Stuck(
                    words[0],
                    UnreadReason.NOT_OPEN,
                    option_labels(self.playthrough.state, self.game.programs.entries, decision)[:6],
                )
            order = [option.value for option in decision.options]
            self.add(question, sorted(values, key=order.index), last)
        next_decision = self.game.advance(self.playthrough)
        if (
            isinstance(next_decision, Decision)
            and next_decision.question == question
            and is_choosing_set(self.game, self.playthrough)
        ):
            stop = [index for index, option in enumerate(next_decision.options) if option.kind == STOP]
            if stop:
                self.take(stop[0])

    def add(self, question: str, values: Sequence[Value], word: str) -> None:
        """Add members to a set; one that is not offered is skipped if `word` is empty, otherwise raises `_Stuck`."""
        for value in values:
            next_decision = self.game.advance(self.playthrough)
            if not isinstance(next_decision, Decision) or next_decision.question != question:
                return
            if value in self.playthrough.calls[-1].names.get(CHOSEN, ()):
                continue  # It was the only one that could follow the one before.
            index = next(
                (
                    i
                    for i, option in enumerate(next_decision.options)
                    if option.value == value and is_member(next_decision, i)
                ),
                None,
            )
            if index is not None:
                self.take(index)
            elif word:
                raise _Stuck(word, "it cannot be added to the others")

    def ending_option(self, decision: Decision, word: str) -> int:
        """Return the option that ends or stops; `_Stuck` if there is none."""
        found = [index for index, option in enumerate(decision.options) if option.kind in (END, STOP)]
        if not found:
            raise _Stuck(word, "it may not end here")
        return found[0]


def _open_words(game: Game, playthrough: Playthrough, decision: Decision, words: Sequence[str]) -> list[str]:
    """Remove the words for previous choices; `_Stuck` if no other word remains."""
    if words and not (left := without_chosen(game, playthrough, decision, words)):
        raise _Stuck(words[0], CHOSEN_ALREADY)
    return left if words else []
