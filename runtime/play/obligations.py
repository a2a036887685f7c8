"""What may be chosen while an offer must not end before something is so: only what can still lead there.

In: a course at a decision, with an offer under way that has `must`. Out: the options after which its condition can
still come to hold. What follows an option is tried out in copies of the course: each decision of anybody and each
result of a die. First that which finishes the action, then one action more, then as many as it takes. So "it can"
means that there is a way, with luck and if the others choose so; "it cannot" that there is none.

Trying has a budget of decisions, shared out among the options, so the same position offers the same in any process. An
option of which the budget does not tell is offered, and counted in `unsettled`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, Self

from runtime.answer.answer import Unanswered
from runtime.graph import nodes as graph
from runtime.graph.work import TooMuchWork, bounded, spend
from runtime.play.broken import BrokenRules, NothingOpen
from runtime.play.course import ACCOUNT, OFFER_TAKEN, Call, Course
from runtime.play.option_evaluator import Asking
from runtime.play.options import END, END_OFFER, TAKE, Option
from runtime.state.digest import digest
from runtime.state.position import State

if TYPE_CHECKING:
    from runtime.play.choices import Decision
    from runtime.play.machine import Machine

# How many actions more are tried (None: as many as there are), and how many decisions for that: for one option at most,
# and for all of them together.
DEPTHS: tuple[tuple[int | None, int, int], ...] = ((0, 240, 4_000), (1, 240, 3_000), (None, 700, 3_000))
LEAST = 12  # For each option.
# What a trial costs besides what it passes over, in members: the position is copied and compared.
TRIAL = 400
# Where the budget did not tell of so many options, it tells of the others as seldom, and they get the least of it.
DOUBTS = 3
MANY = 1_000
# Of so many positions nobody notes that they were come by.
FORGOTTEN = 6
# Steps between two decisions of a trial.
STEPS = 20_000


class Undecided(Exception):  # noqa: N818 -- not an error, but an answer.
    """The budget is used up, or what follows cannot be played out."""


class TooManyTrials(Exception):  # noqa: N818 -- as above.
    """All that may be tried out in this machine has been tried out."""


class UnthrownDie(Exception):  # noqa: N818 -- as above.
    """A die is thrown or something drawn in a trial; every result is to be tried."""

    def __init__(self, low: int, high: int) -> None:
        """Note what it may show."""
        super().__init__(low, high)
        self.low = low
        self.high = high


class TryoutCourse(Course):
    """A course in which nothing is left to chance: what it gives is said before, or stops the trial."""

    __slots__ = ("chances", "given")

    def __init__(self, state: State) -> None:
        """Begin with nothing said."""
        super().__init__(state, None)
        self.chances: tuple[int, ...] = ()
        self.given = 0

    @classmethod
    def copy_of(cls, course: Course) -> Self:
        """Copy a course, without what happened in it, for trying out."""
        trial = cls(course.state.branch())
        trial.settled = 0 if course.settled == len(course.journal) else -1
        trial.calls = [Call(call.key, call.at, dict(call.names)) for call in course.calls]
        trial.dice = course.dice.copy()
        return trial

    def _chance(self, stream: str, low: int, high: int) -> int | None:  # noqa: ARG002 -- as courses have it.
        """Give the next number that was said."""
        if self.given >= len(self.chances):
            raise UnthrownDie(low, high)
        self.given += 1
        return self.chances[self.given - 1]


class Obligations:
    """The offers of one machine that have `must`, and what they leave open."""

    def __init__(self, machine: "Machine") -> None:
        """Find them; most graphs have none."""
        self.machine = machine
        self.offers = {
            (key, at): step
            for key, program in machine.programs.of.items()
            for at, step in enumerate(program.code)
            if isinstance(step, graph.Offer) and step.must
        }
        self.unsettled: Counter[graph.Offer] = Counter()
        # What may be tried out in all; only who looks for something by playing sets an end.
        self.trials = float("inf")
        self._met: dict[graph.Offer, Asking] = {}
        self._quiet: Machine | None = None

    def are_running(self, course: Course) -> bool:
        """Say whether a call stands at such an offer."""
        return bool(self.offers) and next(self.running(course), None) is not None

    def running(self, course: Course) -> Iterator[int]:
        """Yield the places of the calls whose offer is under way and is such a one, the outermost first.

        Below the last call, one where nothing was taken only waits for the calls above it.
        """
        last = len(course.calls) - 1
        return (
            place
            for place, call in enumerate(course.calls)
            if (call.key, call.at) in self.offers and (place == last or OFFER_TAKEN in call.names)
        )

    def open(self, course: Course, decision: "Decision") -> tuple[Option, ...]:
        """List the options that the outermost offer under way leaves open to the side that has to meet it."""
        for place in self.running(course):
            call = course.calls[place]
            if decision.side == self.machine.choices.asked(call).side(course.state, call.names):
                return self._open(course, decision, place)
        return decision.options

    def _open(self, course: Course, decision: "Decision", place: int) -> tuple[Option, ...]:
        call, many, is_here = course.calls[place], len(decision.options), place == len(course.calls) - 1
        offer = self.offers[call.key, call.at]
        # That it may end means that the condition holds.
        left: list[Option] = []
        doubts = self.unsettled[offer] + DOUBTS
        for option in decision.options:
            if self.unsettled[offer] >= doubts:
                many = max(many, MANY)
            if (is_here and option.what == END) or self.leads(course, place, option, many):
                left.append(option)
        if left:
            return tuple(left)
        return (*decision.options, END_OFFER) if is_here and offer.escapes else decision.options

    def leads(self, course: Course, place: int, option: Option | None, many: int = 1) -> bool:
        """Say whether the offer of a call can still be met after an option of so many, or as things stand (None).

        If that cannot be told, it is taken for granted.
        """
        call = course.calls[place]
        offer = self.offers[call.key, call.at]
        found = self.lookahead(offer, place).after(course, option, many)
        if found is None:
            self.unsettled[offer] += 1
        return found is not False

    def lookahead(self, offer: graph.Offer, place: int) -> "Lookahead":
        """Make what tries out what may follow in an offer."""
        self._quiet = self._quiet or self.machine.unheard()
        return Lookahead(self._quiet, offer, place, self.met(offer), self)

    def met(self, offer: graph.Offer) -> Asking:
        """Give what says whether an action was allowed, once it is over."""
        if offer not in self._met:
            wanted = offer.until or graph.Truth(value=True)
            kept = wanted if offer.keeping is None else graph.Op("or", (wanted, offer.keeping))
            self._met[offer] = self.machine.evaluator.evaluator.asking(kept)
        return self._met[offer]


class Lookahead:
    """Tries out what may follow in an offer, which stands at `place` of the calls, until `met` holds there."""

    def __init__(
        self, machine: "Machine", offer: graph.Offer, place: int, met: Asking, obligations: Obligations
    ) -> None:
        """Begin with nothing tried; obligations count what is."""
        self.obligations = obligations
        self.machine = machine
        self.offer = offer
        self.place = place
        self.met = met
        self.left = 0
        self.seen: set[tuple[str, int | None]] = set()
        self.come_by = 0  # positions, since `seen` was empty
        # The first options of the decision at which a trial stands, and what gives the others.
        self.few: tuple[Option, ...] = ()
        self.others: Iterator[Option] = iter(())
        self.cut = False
        self.missed: TryoutCourse | None = (
            None  # How things stood where the offer first might have ended, and was not met.
        )

    def after(self, course: Course, option: Option | None, many: int) -> bool | None:
        """Say whether the offer can be met after an option of so many; None if the budget does not tell.

        Without an option: as things stand, an action more being begun.
        """
        begins = len(course.calls) == self.place + 1
        spent = 0
        for more, most, all_ in DEPTHS[:1] if self.offer.keeping is not None else DEPTHS:
            budget = max(LEAST, min(most, all_ // many))
            if budget <= spent:
                continue  # It would try the same again.
            self.left, self.cut = budget, False
            self.seen.clear()
            self.come_by = 0
            try:
                with bounded():
                    if self.leads(TryoutCourse.copy_of(course), option, None if more is None else more + begins):
                        return True
            except (Undecided, TooMuchWork, Unanswered):
                spent = budget
                continue
            if not self.cut:
                return False
        return None

    def leads(self, trial: TryoutCourse, option: Option | None, more: int | None) -> bool:
        """Say whether the offer is met after an option, at most `more` actions of it being begun."""
        more = self.less(trial, option, more)
        for course, options in self.thrown(trial, option, more):
            if options is None:
                return True
            for other in options:
                if more == 0 and self.less(course, other, more) != more:
                    self.cut = True
                elif self.leads(course, other, more):
                    return True
        return False

    def less(self, course: TryoutCourse, option: Option | None, more: int | None) -> int | None:
        """Count down the actions of the offer that may still be begun."""
        begins = option is not None and option.what == TAKE and len(course.calls) == self.place + 1
        return more - 1 if more is not None and begins else more

    def thrown(
        self, trial: TryoutCourse, option: Option | None, more: int | None
    ) -> Iterator[tuple[TryoutCourse, Iterable[Option] | None]]:
        """Carry out an option with each result of the dice, up to the next decision; None where the offer is met.

        The options of that decision are found one by one, since the first often leads to the end.
        """
        faces: list[tuple[int, ...]] = [()]
        while faces:
            thrown = faces.pop()
            self.left -= 1
            if self.left < 0:
                raise Undecided
            spend(TRIAL)
            self.obligations.trials -= 1
            if self.obligations.trials < 0:
                raise TooManyTrials
            course = TryoutCourse.copy_of(trial)
            course.chances = thrown
            try:
                options, met = self.next_options(course, option)
            except UnthrownDie as die:
                faces += [(*thrown, face) for face in range(die.high, die.low - 1, -1)]
                continue
            except NothingOpen:
                continue
            except BrokenRules:
                self.cut = True  # What is wrong with the rules is to show in play.
                continue
            if met:
                yield course, None
            elif options is not None and self.is_new(course, more):
                yield course, options

    def next_options(self, course: TryoutCourse, option: Option | None) -> tuple[Iterable[Option] | None, bool]:
        """Run on to the next decision of the offer, and give its options; also say whether the offer is met."""
        machine = self.machine
        if option is not None:
            machine.take(course, option)
        call = machine.run_forced(course, self.place, STEPS, lambda call: self.is_met(course, call), self.goes_on)
        if call is None:
            return None, False
        if len(course.calls) == self.place + 1 and self.met(course.state, call.names):
            return None, True
        return (None if self.few == (END_OFFER,) else chain(self.few, self.others)), False

    def is_met(self, course: TryoutCourse, call: Call) -> bool:
        """Say whether the offer is met where a call stands; note how things stand where it might have ended."""
        if len(course.calls) != self.place + 1:
            return False
        if self.machine.choices.asked(call).step is not self.offer:
            raise Undecided
        if self.met(course.state, call.names):
            return True
        self.missed = self.missed or TryoutCourse.copy_of(course)
        return False

    def goes_on(self, course: Course, call: Call) -> Option | None:
        """Give the only option, None where there are more or where the offer can only end, which meets nothing."""
        asked = self.machine.choices.asked(call)
        candidates = asked.candidates(course.state, call.names, asked.side(course.state, call.names))
        self.others = candidates.each()
        self.few = tuple(islice(self.others, 2)) or self.machine.listed(course, call).options[:1]
        if len(self.few) > 1 or (self.few[0] == END_OFFER and len(course.calls) == self.place + 1):
            return None
        return self.few[0]

    def is_new(self, course: TryoutCourse, more: int | None) -> bool:
        """Say whether a position was not come by before; what follows from one was tried out then.

        The first few are not remembered: most trials end there, and to write a position down takes as long as to play.
        """
        self.come_by += 1
        if self.come_by <= FORGOTTEN:
            return True
        # How often an offer was taken changes nothing that follows.
        calls = tuple(
            (
                call.key,
                call.at,
                tuple(sorted(each for each in call.names.items() if each[0] not in (OFFER_TAKEN, ACCOUNT))),
            )
            for call in course.calls[self.place :]
        )
        key = digest(course.state, (len(course.dice), calls)), more
        if key in self.seen:
            return False
        self.seen.add(key)
        return True
