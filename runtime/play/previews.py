"""What a choice leads to, told before it is made: the accounts that begin, and the chance of each result.

In: a game, its playthrough as somebody may see it (`as_seen`), and an option of the decision at hand. Out: a `Preview`.
The option is taken in copies of the playthrough, with every result of every die, until the next decision or phase; the
playthrough itself stays as it is. What is drawn from a set that somebody may keep hidden is not looked into: the
preview says so. More results than `MOST` are not enumerated but sampled, always the same ones, so a preview is the same
in any process.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from runtime.answer.answer import Unanswered
from runtime.answer.interpreter import Interpreter
from runtime.graph import words
from runtime.graph.budget import TooMuchWork, open_budget
from runtime.play.accounts import Accounts, AccountValue, OpenAccount, accounts_in
from runtime.play.choices import Decision
from runtime.play.dice import draw_below
from runtime.play.machine import Machine
from runtime.play.playthrough import ACCOUNT, Playthrough
from runtime.play.rule_faults import BrokenRules
from runtime.play.tryout_playthrough import TryoutPlaythrough, UnthrownDie
from runtime.state.record import Value

# Results of the dice that are enumerated, and how many are sampled where there are more.
MOST = 216
SAMPLES = 200
# Dice of one choice: no printed procedure throws a tenth of it before it asks somebody.
DEEPEST = 60
# What is said of dice after which somebody has to choose before it is over: how it ends is not known then.
OPEN = "It is not over: somebody has to choose first."

# A procedure, its fields before the dice, and which time it ran so.
Moment = tuple[str, tuple[tuple[str, str], ...], int]


class Drawn(Exception):  # noqa: N818 -- not an error, but an answer.
    """Something is drawn that may be hidden."""


class PreviewPlaythrough(TryoutPlaythrough):
    """A playthrough in which dice show what is said before, and in which nothing is drawn."""

    __slots__ = ()

    def draw(self, members: Sequence[Value], domain: str) -> Value:
        """Throw a die whose size is worked out; stop at any other draw."""
        if not domain:
            raise Drawn
        return super().draw(members, domain)


class AccountPreview(NamedTuple):
    """An account before its dice: what it says, its fields, its source, and the chance of each result.

    `mentioned` are the fields that the text says. `chances` is empty where no die has a part in it or nothing is said
    of results; a result "" is one without words, `OPEN`, the last, stands for dice after which it is not over yet.
    """

    key: str
    text: str
    fields: tuple[AccountValue, ...]
    cites: tuple[str, ...]
    chances: tuple[tuple[str, Fraction], ...]
    mentioned: frozenset[str]


class Preview(NamedTuple):
    """What a choice leads to before anybody is asked again.

    `throws`: whether dice are thrown. `sampled` is how many results were tried where there are too many; 0: the
    chances are exact. `stopped` says what could not be looked into, "" if nothing.
    """

    sheets: tuple[AccountPreview, ...]
    throws: bool
    sampled: int
    stopped: str

    @property
    def has_content(self) -> bool:
        """Return whether there is something to be told before the choice is made."""
        return self.throws or bool(self.stopped) or any(sheet.text for sheet in self.sheets)


class _ObservedAccount(NamedTuple):
    """An account as it came by in one result of the dice."""

    text: str
    fields: tuple[AccountValue, ...]
    cites: tuple[str, ...]
    mentioned: frozenset[str]
    results: str | None  # None: it is not over yet, and may still come out otherwise.


def preview_option(
    machine: Machine, playthrough: Playthrough, decision: Decision, index: int, explaining: Interpreter | None = None
) -> Preview:
    """Return what an option leads to. The machine has to tell accounts; `explaining` finds the rules behind fields."""
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
    """Tell what it leads to if `take` plays on; it is called with a copy of the playthrough for each result of dice."""
    return _Previewer(machine, playthrough, take, explaining).preview()


class _Previewer:
    """Plays on with every result of the dice."""

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
        # What had begun before is not brought about by what is chosen now, such as the move that fire interrupts.
        self.begun = [
            (call.key, open_.fields)
            for call in playthrough.calls
            if isinstance(open_ := call.names.get(ACCOUNT), OpenAccount)
        ]
        self.seen: dict[Moment, _ObservedAccount] = {}
        self.weights: dict[Moment, dict[str, Fraction]] = {}
        self.stopped = ""
        self.throws = False

    def preview(self) -> Preview:
        """Try every result, or some of them where there are too many."""
        tried = self._enumerate()
        sampled = 0
        if not tried:
            self.weights.clear()
            sampled = SAMPLES
            for number in range(SAMPLES):
                self._sample(number)
        sheets = tuple(
            AccountPreview(moment[0], seen.text, seen.fields, seen.cites, self._ranked(moment), seen.mentioned)
            for moment, seen in self.seen.items()
        )
        return Preview(sheets, self.throws, sampled, self.stopped)

    def _ranked(self, moment: Moment) -> tuple[tuple[str, Fraction], ...]:
        """List the results of an account, the likeliest first."""
        found = self.weights.get(moment, {})
        if not self.throws or set(found) <= {"", OPEN}:
            return ()
        return tuple(sorted(found.items(), key=lambda each: (each[0] == OPEN, -each[1], each[0])))

    def _enumerate(self) -> bool:
        """Try every result of the dice, depth first; False if there are too many."""
        todo: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
        leaves = 0
        while todo:
            faces, weight = todo.pop()
            die = self._run(faces, weight)
            if die is None:
                leaves += 1
                continue
            if leaves + len(todo) + die.high - die.low + 1 > MOST or len(faces) >= DEEPEST:
                return False
            share = weight / (die.high - die.low + 1)
            todo += [((*faces, face), share) for face in range(die.high, die.low - 1, -1)]
        return True

    def _sample(self, number: int) -> None:
        """Try one result, the same in any process."""
        faces: tuple[int, ...] = ()
        while len(faces) < DEEPEST:
            die = self._run(faces, Fraction(1, SAMPLES))
            if die is None:
                return
            faces = (*faces, die.low + draw_below(die.high - die.low + 1, f"preview.{number}.{len(faces)}"))

    def _run(self, faces: tuple[int, ...], weight: Fraction) -> UnthrownDie | None:
        """Take the option with these faces; give the die that is thrown next, None once nothing more is thrown."""
        trial = PreviewPlaythrough.copy_of(self.playthrough)
        trial.chances = faces
        self.throws = self.throws or bool(faces)
        before = self.accounts.explaining
        # Reasons are the same with every result of the dice, and take longer than all the rest.
        self.accounts.explaining = self.explaining if faces and not self.seen else None
        try:
            with open_budget():
                self.take(trial)
        except UnthrownDie as die:
            if faces or trial.phase_key() == self.playthrough.phase_key():
                return die
            self.seen.clear()  # Dice of a later phase come of themselves, whatever is chosen now.
            return None
        except Drawn:
            self.stopped = "what is drawn is not looked into"
        except (BrokenRules, Unanswered, TooMuchWork):
            self.stopped = "what comes after cannot be worked out before"
        finally:
            self.accounts.explaining = before
        self._note(trial, weight)
        return None

    def _note(self, trial: Playthrough, weight: Fraction) -> None:
        """Note what was told with one result of the dice."""
        times: Counter[tuple[str, tuple[tuple[str, str], ...]]] = Counter()
        for key, fields, seen in _accounts(self.accounts, trial):
            if (key, fields) in self.begun:
                continue
            before = tuple((field.name, field.text) for field in fields)
            moment = (key, before, times[key, before])
            times[key, before] += 1
            self.seen.setdefault(moment, seen)
            told = OPEN if seen.results is None else seen.results
            said = self.weights.setdefault(moment, {})
            said[told] = said.get(told, Fraction(0)) + weight


def _accounts(
    accounts: Accounts, trial: Playthrough
) -> Iterator[tuple[str, tuple[AccountValue, ...], _ObservedAccount]]:
    """List the accounts that are over in a trial, and those that have begun, with their fields before the dice."""
    for told in accounts_in(trial.journal):
        fields = told.fields[: told.before]
        yield told.key, fields, _ObservedAccount(told.preview, fields, told.cites, told.previewed, told.results)
    for call in trial.calls:
        begun = call.names.get(ACCOUNT)
        if isinstance(begun, OpenAccount):
            results = accounts.certain_results(trial, call)
            yield (
                call.key,
                begun.fields,
                _ObservedAccount(begun.preview, begun.fields, begun.cites, begun.mentioned, results),
            )


def chances_text(sheet: AccountPreview, *, sampled: bool = False) -> list[str]:
    """Write the chance of each result, the likeliest first."""
    about = "about " if sampled else ""
    return [f"{about}{chance_text(chance)}: {result or 'nothing is said of it'}" for result, chance in sheet.chances]


def chance_text(chance: Fraction) -> str:
    """Write a chance as players do: 2 in 6 with a die of six, else in percent."""
    for sides in (6, 36):
        if (chance * sides).denominator == 1:
            return f"{words.number(chance * sides)} in {sides}"
    return f"{round(100 * chance)} %"
