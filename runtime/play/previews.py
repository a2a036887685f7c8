"""Previews of a choice: the accounts that it opens, and the probability of each result.

In: a game, its playthrough as a side sees it, and an option of the current decision. Out: a `Preview`. The option is
applied in copies of the playthrough, for every result of every die, up to the next decision or phase. Draws from sets
that may be secret are not evaluated, which the preview states. More results than `MOST_RESULTS` are sampled with a
fixed seed, so that a preview is the same in any process.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from operator import itemgetter
from typing import NamedTuple

from runtime.answer.interpreter import Interpreter
from runtime.graph import words
from runtime.graph.answer_errors import Unanswered
from runtime.graph.budget import TooMuchWork, open_budget
from runtime.play.accounts import Accounts, AccountValue, OpenAccount, accounts_in
from runtime.play.dice import Stream
from runtime.play.machine import Machine
from runtime.play.options import Decision
from runtime.play.playthrough import ACCOUNT, Playthrough
from runtime.play.rule_faults import BrokenRules
from runtime.play.tryout_playthrough import TryoutPlaythrough, UnthrownDie
from runtime.state.record import Value

# The limit of enumerated dice results, and the number of samples beyond it.
MOST_RESULTS = 216
SAMPLES = 200
# The limit of dice of one choice; printed procedures throw less than a tenth of it before the next decision.
MOST_DICE = 60
# The result of dice after which a decision precedes the end of the account.
OPEN = "It is not over: somebody has to choose first."

# A procedure, its fields before the dice, and the index among equal ones.
Moment = tuple[str, tuple[tuple[str, str], ...], int]


class _SecretDraw(Exception):  # noqa: N818 -- not an error, but an answer.
    """Raised at a draw from a set that may be secret."""


class _PreviewPlaythrough(TryoutPlaythrough):
    """A playthrough with given dice results that stops at draws."""

    __slots__ = ()

    def draw(self, members: Sequence[Value], domain: str, *, is_open: bool) -> Value:
        """Roll a die of computed size; raise at any other draw."""
        if not domain:
            raise _SecretDraw
        return super().draw(members, domain, is_open=is_open)


class AccountPreview(NamedTuple):
    """An account before its dice: its text, fields, source, and the probability of each result.

    `mentioned` are the fields in the text. `chances` is empty where no die is involved or the account has no results;
    the result "" is one without text, `OPEN`, the last one, is an account that has not ended. `faces` are the faces of
    the die, or totals of dice, with which each result comes; empty where neither decides it.
    """

    key: str
    text: str
    fields: tuple[AccountValue, ...]
    cites: tuple[str, ...]
    chances: tuple[tuple[str, Fraction], ...]
    mentioned: frozenset[str]
    faces: tuple[tuple[str, tuple[int, ...]], ...] = ()


class Preview(NamedTuple):
    """The consequences of a choice up to the next decision.

    `throws`: whether dice are thrown. `sampled` is the number of samples where there are too many results; 0: the
    probabilities are exact. `stop_reason` states what could not be evaluated, "" if nothing.
    """

    sheets: tuple[AccountPreview, ...]
    throws: bool
    sampled: int
    stop_reason: str

    @property
    def has_content(self) -> bool:
        """Return whether the preview has anything to report."""
        return self.throws or bool(self.stop_reason) or any(sheet.text for sheet in self.sheets)


class _ObservedAccount(NamedTuple):
    """An account as observed for one result of the dice."""

    text: str
    fields: tuple[AccountValue, ...]
    cites: tuple[str, ...]
    mentioned: frozenset[str]
    results: str | None  # None: it is not over yet, and may still come out otherwise.


def preview_option(
    machine: Machine, playthrough: Playthrough, decision: Decision, index: int, explaining: Interpreter | None = None
) -> Preview:
    """Return the preview of an option. The machine has to have accounts enabled; `explaining` explains fields."""
    option = decision.options[index]

    def take(trial: Playthrough) -> None:
        machine.take(trial, option)
        machine.run(trial)

    return preview_of(machine, playthrough, take, explaining)


def preview_of(
    machine: Machine,
    playthrough: Playthrough,
    take: Callable[[Playthrough], object],
    explaining: Interpreter | None = None,
) -> Preview:
    """Return the preview of `take`, which is called with a copy of the playthrough for each result of dice."""
    return _Previewer(machine, playthrough, take, explaining).preview()


class _Previewer:
    """The enumeration of dice results."""

    def __init__(
        self,
        machine: Machine,
        playthrough: Playthrough,
        take: Callable[[Playthrough], object],
        explaining: Interpreter | None,
    ) -> None:
        assert machine.accounts is not None, "the machine has to tell accounts"
        self.accounts, self.explaining = machine.accounts, explaining
        self.playthrough = playthrough
        self.take = take
        # An account that was open before is no consequence of the choice, such as a move that fire interrupts.
        self.prior_accounts = [
            (call.key, open_.fields)
            for call in playthrough.calls
            if isinstance(open_ := call.names.get(ACCOUNT), OpenAccount)
        ]
        self.observed_accounts: dict[Moment, _ObservedAccount] = {}
        self.weights: dict[Moment, dict[str, Fraction]] = {}
        self.thrown: dict[Moment, dict[str, list[tuple[int, ...]]]] = {}
        self.stopped = ""
        self.has_dice = False

    def preview(self) -> Preview:
        """Return the preview over every result, or over samples where there are too many."""
        tried = self._enumerate()
        sampled = 0
        if not tried:
            self.weights.clear()
            sampled = SAMPLES
            for number in range(SAMPLES):
                self._sample(number)
        sheets = tuple(
            AccountPreview(
                moment[0],
                seen.text,
                seen.fields,
                seen.cites,
                self._ranked(moment),
                seen.mentioned,
                () if sampled else _deciding_faces(self.thrown.get(moment, {})),
            )
            for moment, seen in self.observed_accounts.items()
        )
        return Preview(sheets, self.has_dice, sampled, self.stopped)

    def _ranked(self, moment: Moment) -> tuple[tuple[str, Fraction], ...]:
        """Return the results of an account, the most probable first."""
        found = self.weights.get(moment, {})
        if not self.has_dice or set(found) <= {"", OPEN}:
            return ()
        return tuple(sorted(found.items(), key=lambda each: (each[0] == OPEN, -each[1], each[0])))

    def _enumerate(self) -> bool:
        """Enumerate the results of the dice, depth first; return False if there are too many."""
        todo: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
        leaves = 0
        while todo:
            faces, weight = todo.pop()
            die = self._run(faces, weight)
            if die is None:
                leaves += 1
                continue
            if leaves + len(todo) + die.high - die.low + 1 > MOST_RESULTS or len(faces) >= MOST_DICE:
                return False
            share = weight / (die.high - die.low + 1)
            todo += [((*faces, face), share) for face in range(die.high, die.low - 1, -1)]
        return True

    def _sample(self, number: int) -> None:
        """Evaluate one sample."""
        faces: tuple[int, ...] = ()
        chance = Stream("preview", str(number))
        while len(faces) < MOST_DICE:
            die = self._run(faces, Fraction(1, SAMPLES))
            if die is None:
                return
            faces = (*faces, die.low + chance.draw(die.high - die.low + 1))

    def _run(self, faces: tuple[int, ...], weight: Fraction) -> UnthrownDie | None:
        """Apply the option with these dice results; return the next die, None once no more are thrown."""
        trial = _PreviewPlaythrough.copy_of(self.playthrough)
        trial.chances = faces
        self.has_dice = self.has_dice or bool(faces)
        before = self.accounts.explaining
        # Reasons are equal for all results of the dice, and take longest to compute.
        self.accounts.explaining = self.explaining if faces and not self.observed_accounts else None
        try:
            with open_budget():
                self.take(trial)
        except UnthrownDie as die:
            if faces or trial.phase() == self.playthrough.phase():
                return die
            self.observed_accounts.clear()  # Dice of a later phase come of themselves, whatever is chosen now.
            return None
        except _SecretDraw:
            self.stopped = "a draw that may be secret follows, so its results are not listed"
        except (BrokenRules, Unanswered, TooMuchWork):
            self.stopped = "the results that follow cannot be computed in advance"
        finally:
            self.accounts.explaining = before
        self._note(trial, weight, faces)
        return None

    def _note(self, trial: Playthrough, weight: Fraction, faces: tuple[int, ...]) -> None:
        """Record the accounts for one result of the dice."""
        times: Counter[tuple[str, tuple[tuple[str, str], ...]]] = Counter()
        for key, fields, seen in _accounts(self.accounts, trial):
            if (key, fields) in self.prior_accounts:
                continue
            before = tuple((field.name, field.text) for field in fields)
            moment = (key, before, times[key, before])
            times[key, before] += 1
            self.observed_accounts.setdefault(moment, seen)
            result_text = OPEN if seen.results is None else seen.results
            weights = self.weights.setdefault(moment, {})
            weights[result_text] = weights.get(result_text, Fraction(0)) + weight
            self.thrown.setdefault(moment, {}).setdefault(result_text, []).append(faces)


def _deciding_faces(thrown: Mapping[str, Sequence[tuple[int, ...]]]) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Return the faces of the first die that decides a result by itself, or else the totals of all dice if they do."""
    die_count = min((len(faces) for each in thrown.values() for faces in each), default=0)
    readings: list[Callable[[tuple[int, ...]], int]] = [*map(itemgetter, range(die_count)), sum]
    for read in readings if die_count else ():
        found = {result: sorted({read(faces) for faces in each}) for result, each in thrown.items()}
        if sum(map(len, found.values())) == len(set[int]().union(*found.values())):
            ordered = sorted(found.items(), key=lambda each: each[1])
            return tuple((result, tuple(faces)) for result, faces in ordered)
    return ()


def _accounts(
    accounts: Accounts, trial: Playthrough
) -> Iterator[tuple[str, tuple[AccountValue, ...], _ObservedAccount]]:
    """Yield the closed and open accounts of a trial, with their fields before the dice."""
    for account in accounts_in(trial.journal):
        fields = account.fields[: account.initial_field_count]
        yield (
            account.key,
            fields,
            _ObservedAccount(account.preview, fields, account.cites, account.previewed, account.results),
        )
    for call in trial.calls:
        open_account = call.names.get(ACCOUNT)
        if isinstance(open_account, OpenAccount):
            results = accounts.certain_results(trial, call)
            yield (
                call.key,
                open_account.fields,
                _ObservedAccount(
                    open_account.preview, open_account.fields, open_account.cites, open_account.mentioned, results
                ),
            )


def chances_text(sheet: AccountPreview, *, sampled: bool) -> list[str]:
    """Format the probability of each result, the most probable first."""
    about = "about " if sampled else ""
    return [f"{about}{chance_text(chance)}: {result or 'nothing is said of it'}" for result, chance in sheet.chances]


def chance_text(chance: Fraction) -> str:
    """Format a probability: as 2 in 6 for sixths and thirty-sixths, else in percent."""
    for sides in (6, 36):
        if (chance * sides).denominator == 1:
            return f"{words.number(chance * sides)} in {sides}"
    return f"{round(100 * chance)} %"
