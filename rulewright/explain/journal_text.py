"""Format the events of a game as sentences, as far as the reader may know them.

In: the journal of a playthrough from some event on, or a trial, whose accounts a replay recomputes. Out: lines. An
account of a procedure is its sentence with the cited paragraphs; events of the pieces in that sentence are omitted.
Other lines report moves, losses, new pieces, marks with counters, pairs, the clock, and dice without an account.
Internal marks of the rules are omitted, and all records, since they may be secrets of another side.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from rulewright.explain.preview_blocks import bracketed_sources
from rulewright.explain.views.picture import phase_title
from rulewright.games.scenarios import game_of
from rulewright.system.errors import UsageError
from runtime.answer.piece_text import original_phrase, takes_plural
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.english import with_plural_verb
from runtime.graph.records.playing import GameEndRecord, GameForSideRecord, KnownChoiceRecord
from runtime.play.accounts import EVENT as ACCOUNT
from runtime.play.accounts import ClosedAccount, accounts_in, pieces_of
from runtime.play.playthrough import Playthrough
from runtime.state.position import GONE, State
from runtime.state.record import Event
from runtime.trial.interactive_game import InteractiveGame
from runtime.trial.nodes import Trial
from runtime.trial.replay import mismatch_text, repeat_choices

# More lines than this are shortened: a whole set-up is not reported unit by unit.
MOST_LINES = 12


def events_text(
    playthrough: Playthrough, since: int, dice_since: int, dice: str = "dice", reader: str = ""
) -> list[str]:
    """Return the lines of the events from index `since` on, and of the dice from index `dice_since` on.

    Accounts that depend on secrets of a side are only reported if it is the `reader`. `dice` is the heading of dice.
    """
    return _events_between(
        playthrough, (since, dice_since), (len(playthrough.journal), len(playthrough.dice)), dice, reader
    )


def _events_between(
    playthrough: Playthrough, since: tuple[int, int], until: tuple[int, int], dice: str, reader: str
) -> list[str]:
    """Return the lines of the events and dice between two moments; a moment is the number of events and of dice."""
    happened = playthrough.journal[since[0] : until[0]]
    return event_lines(
        playthrough, happened, [each.event for each in reported_events(happened, reader)], since[1], until[1], dice
    )


class ReportedEvent(NamedTuple):
    """A reported event of a journal: its index, and the index of the event in whose place it is reported."""

    number: int
    place: int
    event: Event


def reported_events(journal: Sequence[Event], reader: str) -> list[ReportedEvent]:
    """Return the reported events: without those that an account covers, each account in the place of its first event,
    before what is created in it.

    A procedure emits its account at its end. If other sides had decisions meanwhile, their events follow the account.
    """
    covered: set[int] = set()
    places: dict[int, int] = {}
    for index, event in enumerate(journal):
        if event.kind == ACCOUNT and _may_read_account(event.new, reader):
            named = {piece for field in event.new.fields for piece in pieces_of(field.type, field.value)}
            indices = range(max(0, index - event.new.events), index)
            covered_indices = [each for each in indices if _concerns(journal[each], named)]
            creations = [each for each in indices if journal[each].kind == "create"]
            places[index] = min((*covered_indices, *creations), default=index)
            covered.update(covered_indices)
    events = [
        ReportedEvent(index, places.get(index, index), event)
        for index, event in enumerate(journal)
        if index not in covered and (event.kind != ACCOUNT or index in places)
    ]
    return sorted(events, key=lambda each: (each.place, each.number))


def event_lines(
    playthrough: Playthrough,
    happened: Sequence[Event],
    visible_events: Sequence[Event],
    since: int,
    until: int,
    dice: str = "dice",
) -> list[str]:
    """Return the lines of the reported events, preceded by the dice unless an account contains them."""
    lines = list(_event_sentences(playthrough.state, visible_events))
    # Other random draws may be secrets of one side; their effects are reported as far as all sides see them.
    fresh = [str(die.value) for die in playthrough.dice[since:until] if die.is_open]
    if fresh and not accounts_in(happened):
        lines.insert(0, f"{dice}: {', '.join(fresh)}")
    return lines


def shortened_lines(lines: Sequence[str]) -> list[str]:
    """Omit the middle of a long list of lines."""
    if len(lines) <= MOST_LINES:
        return list(lines)
    return [*lines[: MOST_LINES - 2], f".. and {len(lines) - MOST_LINES + 1} more (`log` tells all)", lines[-1]]


def _may_read_account(account: ClosedAccount, reader: str) -> bool:
    """Return whether a side may read an account."""
    return not account.private or account.side == reader


def _concerns(event: Event, pieces: Collection[int]) -> bool:
    """Return whether an event moves, removes or marks one of some pieces."""
    return event.kind in ("move", "mark") and event.subject in pieces


def _event_sentences(state: State, events: Sequence[Event]) -> Iterator[str]:
    """Yield the sentences of events; consecutive steps of a piece, or equal marks of several, are one sentence.

    Phases without a sentence are not named: consecutive changes of the clock are one heading.
    """
    reported = [event for event in events if _sentence(state, (event,))]
    for _, run in groupby(reported, _run_of_event):
        yield _sentence(state, tuple(run))


def _run_of_event(event: Event) -> tuple[object, ...]:
    """Return what consecutive events have in common that are one sentence."""
    match event.kind:
        case "clock":
            return ("clock",)
        case "mark":
            return "mark", event.key, event.new
        case "move" if _is_step(event):
            return "move", event.subject
        case _:
            return (id(event),)


def _is_step(event: Event) -> bool:
    """Return whether a piece moves from one hex to another."""
    old, new = int(event.old[0]), int(event.new[0])
    return old >= 0 and new >= 0 and old != new


def _sentence(state: State, run: Sequence[Event]) -> str:
    """Return the sentence of a run of events; "" if it is not reported."""
    event = run[0]
    match event.kind:
        case "account":
            return f"{event.new.sentence}{bracketed_sources(event.new.cites)}" if event.new.sentence else ""
        case "move" if _is_step(event):
            names = state.board.names
            path = " to ".join(names[hex_] for hex_ in (event.old[0], *(step.new[0] for step in run)))
            return _piece_sentence(state, (event.subject,), f"goes from {path}")
        case "move":
            return _move_sentence(state, event)
        case "flip":
            face = words.counter(event.new.counter, state.graph.counters)
            return _piece_sentence(state, (event.subject,), f"becomes {words.article(face)}")
        case "mark":
            return _mark_sentence(state, event, [mark.subject for mark in run])
        case "pair" if state.graph.vocabulary.relations[event.key].one:
            left, right = (original_phrase(state, (piece,)) for piece in event.subject)
            return words.sentence(f"{left} {'' if event.new else 'no longer '}{words.readable_name(event.key)} {right}")
        case "clock":
            return _clock_heading(state, run)
        case _:
            return ""


def _clock_heading(state: State, run: Sequence[Event]) -> str:
    """Return the heading of the turn, side and phase that begin; a new side has a phase of its own."""
    changes: dict[str, str] = {}
    for event in run:
        match event.key:
            case "turn":
                changes = {"turn": f"turn {event.new}"}
            case "player":
                changes.pop("phase", "")
                changes["player"] = words.side(event.new, state.graph.vocabulary)
            case _:
                changes["phase"] = phase_title(state, event.new)
    texts = [text for text in changes.values() if text]
    return f"-- {', '.join(texts)}" if texts else ""


def _piece_sentence(state: State, pieces: Sequence[int], predicate: str) -> str:
    """Return a sentence about pieces; the predicate begins with a verb in the singular."""
    agreeing = with_plural_verb(predicate) if takes_plural(state, pieces) else predicate
    return words.sentence(f"{original_phrase(state, pieces)} {agreeing}")


def _mark_sentence(state: State, event: Event, pieces: Sequence[int]) -> str:
    """Return the sentence of a mark with a counter that pieces have or lose; "" for other marks."""
    vocabulary = state.graph.vocabulary
    flag = vocabulary.flags[event.key]
    if flag.owner not in vocabulary.kinds or not flag.marker or event.old == event.new:
        return ""
    flag_text = words.flag(flag.owner, flag.name, vocabulary)
    if flag_text.startswith("has "):
        return _piece_sentence(state, pieces, flag_text if event.new else f"loses the mark “{flag_text}”")
    return _piece_sentence(state, pieces, f"is {flag_text}" if event.new else f"is no longer {flag_text}")


def _move_sentence(state: State, event: Event) -> str:
    """Return the sentence of an arrival, a removal, or a change of place within a hex; "" for other moves."""
    (old, _), (new, place) = event.old, event.new
    pieces, names = (event.subject,), state.board.names
    if new == GONE:
        return _piece_sentence(state, pieces, f"is gone from {names[old]}" if old >= 0 else "is gone")
    if old < 0 <= new:
        return _piece_sentence(state, pieces, f"is now in {names[new]}")
    if old == new:
        return _piece_sentence(state, pieces, f"is now {words.readable_name(place)} in {names[new]}")
    return _piece_sentence(state, pieces, "leaves the map") if new < 0 else ""


def trial_log(rules: graph.Graph, trial: Trial, reader: str = "") -> list[str]:
    """Replay a trial and return its log, for a side as far as it may know; `UsageError` if the replay diverges."""
    game = game_of(rules)
    game.tell_accounts()
    interactive = InteractiveGame(game, game.start(trial.heading.seed))
    if parted := repeat_choices(interactive, trial):
        cause = "this is no longer the recorded game" if reader else mismatch_text(trial, rules, parted)
        raise UsageError(f"{cause}; `replay` without `{'--as' if reader else '--log'}` says more")
    interactive.ask()
    return events_text(interactive.playthrough, 0, 0, reader=reader)


def record_for_side(rules: graph.Graph, trial: Trial, reader: str) -> GameForSideRecord:
    """Return a record of a game that a side may read: its log, and the choices, of other sides only whose turn it was.

    The seed and the digests are left out, as the secrets of all sides follow from them; so are the question, the number
    of options and the choice of other sides, which may depend on their secrets. What came of a choice is in the log.
    """
    heading = trial.heading
    choices: list[KnownChoiceRecord] = []
    for choice in trial.choices:
        choices.append({"step": choice.step, "turn": choice.turn, "side": choice.side})
        if choice.side == reader:
            choices[-1].update({"question": choice.question, "choice": choice.label})
    result: GameEndRecord | None = None
    if trial.result:
        result = {"winner": trial.result.winner, "turn": trial.result.turn}
    return {
        "as": reader, "stack": heading.stack, "scenario": heading.scenario, "players": heading.players,
        "log": trial_log(rules, trial, reader), "choices": choices, "result": result,
    }  # fmt: skip
