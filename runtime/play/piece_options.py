"""The options of one piece: reachable hexes, actions that involve it, and refused actions with reasons.

In: a machine, a playthrough at a decision (as the deciding side sees it), and a piece. Out: `PieceOptions`. Each option
is tried in copies of the playthrough, so that the result needs no model of movement: a move may be a single action or
one action per step. A step is an action that chooses one hex and moves the piece into another without dice.

Of paths to the same hex in otherwise equal states the one that leaves the largest allowance is followed
(routes.py), else the shortest. Other sides are assumed to decline their offers on the path, which the
result states. Trials are bounded by a number of options, so that the result is the same in any process.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from runtime.graph import nodes as graph
from runtime.graph.movement import MovedPlaces, moves_by_procedure
from runtime.play.machine import Machine
from runtime.play.option_trials import BROKEN, OWN, WAITS_FOR_DIE, OptionTrials, TrialPlaythrough, never_canceled
from runtime.play.options import TAKE, Decision, Option
from runtime.play.piece_choices import ChosenValue, HeadPrefix, PieceChoiceSearch
from runtime.play.playthrough import Names, Playthrough
from runtime.play.previews import Preview, preview_option
from runtime.play.refusal import find_refusals
from runtime.play.refusal_parts import ActionRefusal
from runtime.play.routes import ReachedHex, RouteSearch
from runtime.play.tryout_playthrough import TryoutPlaythrough
from runtime.state.position import LEFT

# The limits of trials for one piece, and of previews.
BUDGET = 6_000
PREVIEWS = 40
# The depth of nested offers before any effect.
MOST_NESTED_OFFERS = 3


class OpenAct(NamedTuple):
    """An open action that involves the piece.

    `options` are to be applied in order from the given decision (`indices_of`); `chosen` holds the values by the names
    of their choices. `throws`: dice decide the outcome. `moves_to` is the hex where the piece ends, if the dice allow
    it, None where it stays. `preview` holds the possible results; None where there is no account, or beyond the limit
    `PREVIEWS`.
    """

    action: str
    options: tuple[Option, ...]
    chosen: tuple[ChosenValue, ...]
    throws: bool
    moves_to: int | None
    preview: Preview | None


class PieceOptions(NamedTuple):
    """The options of a piece: hexes in order of cost, acts in the order of the rules.

    `refusals` are actions that the piece cannot be part of, with their first failing condition and its explanation.
    `is_cut`: a limit was reached, so that hexes and acts may be missing. `trial_count` is the number of trials.
    """

    piece: int
    hexes: tuple[ReachedHex, ...]
    acts: tuple[OpenAct, ...]
    refusals: tuple[ActionRefusal, ...]
    is_cut: bool
    trial_count: int


class SearchLimits(NamedTuple):
    """The limits of the search: a number of trials, and cancellation; near hexes are tried first."""

    options: int = BUDGET
    canceled: Callable[[], bool] = never_canceled


WHOLE = SearchLimits()


def open_to(
    machine: Machine,
    playthrough: Playthrough,
    decision: Decision,
    piece: int,
    limits: SearchLimits = WHOLE,
    *,
    refused: bool,
) -> PieceOptions:
    """Return the options of a piece at a decision; with `refused` also the refused actions."""
    return _OptionSearch(machine, playthrough, decision, piece, limits).search_all(refused=refused)


def indices_of(machine: Machine, playthrough: Playthrough, options: Sequence[Option]) -> tuple[int, ...]:
    """Return the indexes of options in successive decisions, without those that the machine takes itself.

    The result ends with the options, or at a decision without the next of them, as another side decides first.
    """
    playthrough_copy, left, found = playthrough.copy(), list(options), list[int]()
    quiet = machine.without_listeners()
    while left and (decision := quiet.run(playthrough_copy)) is not None:
        while left and left[0] not in decision.options:
            left.pop(0)
        if left:
            option = left.pop(0)
            found.append(decision.options.index(option))
            quiet.take(playthrough_copy, option)
    return tuple(found)


class _OptionSearch:
    """The search from one decision."""

    def __init__(
        self, machine: Machine, playthrough: Playthrough, decision: Decision, piece: int, limits: SearchLimits
    ) -> None:
        self.machine, self.playthrough, self.piece = machine, playthrough, piece
        self.trials = OptionTrials(machine, decision.side, limits.options, limits.canceled)
        self.choices = PieceChoiceSearch(self.trials, piece)
        self.routes = RouteSearch(self.trials, piece, playthrough)
        self.previews = PREVIEWS
        self.acts: list[OpenAct] = []
        self.leading_actions: set[str] = set()  # Actions that lead on to others, or to other hexes.

    def search_all(self, *, refused: bool) -> PieceOptions:
        """Try all actions, then continue from the hexes that the piece has moved to."""
        start = TrialPlaythrough(TryoutPlaythrough.copy_of(self.playthrough), OWN)
        self.search_from(HeadPrefix((), (), takes_piece=False, trial=start, previous_trial=start), 0)
        hexes = self.routes.reached_hexes()
        refusals = self.refused() if refused else ()
        return PieceOptions(self.piece, hexes, tuple(self.acts), refusals, self.trials.cut, self.trials.trial_count)

    def refused(self) -> tuple[ActionRefusal, ...]:
        """Return the actions that the piece cannot be part of; only those with a reason, if there are any."""
        name = self.playthrough.state.sheets[self.piece].name
        found = [each for each in find_refusals(self.machine, self.playthrough, [name]) if each.reason]
        open_ = {act.action for act in self.acts} | self.leading_actions
        left = [each for each in found if each.action not in open_]
        return tuple([each for each in left if each.explanation] or left)

    def search_from(self, start: HeadPrefix, depth: int) -> None:
        """Try the offered actions of a playthrough, or continue with its current choice."""
        if isinstance(self.trials.site(start.trial.playthrough).step, graph.Choose):
            action = self.machine.programs.entries[start.trial.playthrough.calls[-1].key].procedure.name
            for prefix in self.choices.successors(start):
                self.classify(start, prefix, action, depth)
            return
        for option in self.trials.options(start.trial.playthrough):
            if option.kind != TAKE:
                continue
            takes = self.choices.takes_piece(option)
            if (option.value and not takes) or (trial := self.trials.take(start.trial.playthrough, option)) is None:
                continue
            opening = HeadPrefix((*start.options, option), start.chosen, takes, trial, start.trial)
            for prefix in self.choices.successors(opening):
                self.classify(start, prefix, option.name, depth)

    def classify(self, start: HeadPrefix, prefix: HeadPrefix, action: str, depth: int) -> None:
        """Classify the result of an action: a step, an action with further offers, or an act."""
        before, after = self.playthrough.state.hex[self.piece], prefix.trial.playthrough.state.hex[self.piece]
        if (
            prefix.trial.status == OWN
            and after == before
            and depth < MOST_NESTED_OFFERS
            and self.has_further_offers(start, prefix)
        ):
            self.leading_actions.add(action)
            self.search_from(prefix, depth + 1)
        elif (
            prefix.trial.status not in (WAITS_FOR_DIE, BROKEN)
            and after not in (before, *LEFT)
            and self.routes.is_step(action)
        ):
            self.leading_actions.add(action)
            self.routes.add(prefix, action)
        else:
            throws = prefix.trial.status == WAITS_FOR_DIE
            moved = after if after != before and after >= 0 else None
            moved = self.destination_of(prefix, action) if throws else moved
            self.acts.append(
                OpenAct(
                    action,
                    prefix.options,
                    prefix.chosen,
                    throws,
                    moved,
                    self.outcome_text(prefix, action, throws=throws),
                )
            )

    def destination_of(self, prefix: HeadPrefix, action: str) -> int | None:
        """Return the last chosen hex to which an action moves the piece if the dice allow it; None if there is none."""
        key = f"action:{action}"
        names: Names = next((each.names for each in prefix.trial.playthrough.calls if each.key == key), {})
        goals = {to for mover, to in self.moves[key] if names.get(mover, self.piece) == self.piece}
        return next((each.value for each in reversed(prefix.chosen) if each.name in goals), None)

    @cached_property
    def moves(self) -> Mapping[str, MovedPlaces]:
        """The pieces that each procedure moves, and where to."""
        return moves_by_procedure(self.machine.graph.procedures)

    def has_further_offers(self, start: HeadPrefix, prefix: HeadPrefix) -> bool:
        """Return whether an action is at an offer of its own before any effect."""
        return len(prefix.trial.playthrough.calls) > len(start.trial.playthrough.calls) and isinstance(
            self.trials.site(prefix.trial.playthrough).step, graph.Offer
        )

    def outcome_text(self, prefix: HeadPrefix, action: str, *, throws: bool) -> Preview | None:
        """Return the preview of the last choice of a path, where dice decide or an account has a preview."""
        accounts = self.machine.accounts
        if accounts is None or self.previews <= 0 or self.trials.is_canceled():
            return None
        if not throws and not accounts.previews(f"action:{action}"):
            return None
        self.previews -= 1
        playthrough, option = prefix.previous_trial.playthrough, prefix.options[-1]
        site = self.trials.site(playthrough)
        decision = Decision(self.trials.side, site.question, (option,), site.member)
        return preview_option(self.machine, playthrough, decision, 0)
