"""Search for legal ways to finish the choices at the head of an action.

In: the prefix of an action (choices, names, conditions) and the names bound so far. Out: whether
some completion makes every condition hold. The first one found is enough to offer the action, or
one candidate of a choice (docs/language.md 3.23).

The steps are in searching order (prefix.py): what an earlier choice would have ruled out may be asked too soon
there. A search that meets such an unanswerable question starts again in the written order.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, islice, permutations

from runtime.answer.answer import Unanswered
from runtime.graph import nodes as graph
from runtime.graph.operators import span
from runtime.play.alike import Likeness, Sorter
from runtime.play.course import Names
from runtime.play.prefix import Head, Prefix, Row
from runtime.play.recall import Recall
from runtime.state.position import State
from runtime.state.record import Value
from runtime.state.seen import known

Values = tuple[Value, ...]

# Sets or orders tried for one choice: all sets of eight members; of more, first those that settle
# conditions which grow or shrink with a set (`trials`), then the smaller ones as far as this goes.
TRIES = 300


def later(found: Values, chosen: Values) -> Values:
    """List the members after the last chosen one: every set is built in one way only."""
    return found[found.index(chosen[-1]) + 1 :] if chosen else found


def rest(found: Values, chosen: Values) -> Values:
    """List the members that are not in an order yet."""
    return tuple(member for member in found if member not in chosen)


def sizes(step: graph.Choose, evaluate: Callable[[graph.Expr], Value]) -> range | None:
    """Say how many members a choice takes; None where nothing is said of it."""
    if step.least is None or step.most is None:
        return None
    return span(max(0, evaluate(step.least)), evaluate(step.most))


def trials(how: str, found: Values, chosen: Values, sizes: range | None = None) -> Iterator[Values]:
    """List sets or orders of these sizes that begin as chosen, the likely ones first; an order is one of all members.

    What is legal for few members is met at once, what needs many is met on the way to all of them,
    and what every single member spoils is met with the single ones. Only a condition that wants
    just the right mixture of many can be missed, and the choice is then not offered.
    """
    if sizes is not None:
        more = rest(found, chosen) if how == "order" else later(found, chosen)
        ways = permutations if how == "order" else combinations
        for size in (size - len(chosen) for size in sizes if size >= len(chosen)):
            yield from ((*chosen, *some) for some in ways(more, size))
        return
    if how == "order":
        yield from ((*chosen, *order) for order in permutations(rest(found, chosen)))
        return
    more = later(found, chosen)
    yield from ((*chosen, *more[:size]) for size in range(len(more) + 1))
    yield from ((*chosen, member) for member in more[1:])
    for size in range(2, len(more)):
        yield from ((*chosen, *some) for some in combinations(more, size))


class Search:
    """A search in one position. Steps bind into the names handed in, so callers pass a copy."""

    __slots__ = ("evaluate", "prefix", "recall", "state")

    def __init__(self, recall: Recall, state: State, prefix: Prefix) -> None:
        """Look for completions of this prefix."""
        self.recall = recall
        self.evaluate = recall.evaluate
        self.state = state
        self.prefix = prefix

    def completes(self, done: int, names: Names) -> bool:
        """Say whether the prefix can be finished once its first `done` choices are made."""
        prefix = self.prefix
        try:
            return self._finishes(prefix.hastened.steps, prefix.hastened.starts[done], names)
        except Unanswered:
            return self._finishes(prefix.written.steps, prefix.written.starts[done], names)

    def continues(self, done: int, names: Names, chosen: Values) -> bool:
        """Say the same while choice `done`, a set or an order, has got as far as `chosen`."""
        prefix = self.prefix
        try:
            return self._goes_on(prefix.hastened, done, names, chosen)
        except Unanswered:
            return self._goes_on(prefix.written, done, names, chosen)

    def _goes_on(self, row: Row, done: int, names: Names, chosen: Values) -> bool:
        at = row.starts[done + 1] - 1
        step = row.steps[at]
        assert isinstance(step, graph.Choose)
        return self._grows(row.steps, at, step, names, chosen)

    def _finishes(self, steps: tuple[Head, ...], at: int, names: Names) -> bool:
        """Go on from step `at`; deeper choices are tried one after the other."""
        state, evaluate = self.state, self.evaluate
        for number in range(at, len(steps)):
            step = steps[number]
            if isinstance(step, graph.Legal):
                if not evaluate(state, step.condition, names):
                    return False
            elif isinstance(step, graph.Let):
                names[step.name] = evaluate(state, step.value, names)
            elif step.how:
                return self._grows(steps, number, step, names, ())
            else:
                return self._some_member(steps, number, step, names)
        return True

    def _some_member(self, steps: tuple[Head, ...], at: int, step: graph.Choose, names: Names) -> bool:
        if self._with_last(steps, at, step, names):
            return True
        sorter = self.sorter(step, names)
        failed: set[Likeness | None] = set()
        for member in self._open_to(step, self._members(step.source, names), names):
            like = sorter.likeness(member) if sorter else None
            if like in failed:
                continue
            names[step.name] = member
            if self._finishes(steps, at + 1, names):
                self.prefix.last[step.name] = member
                return True
            if like is not None:
                failed.add(like)
        return False

    def _with_last(self, steps: tuple[Head, ...], at: int, step: graph.Choose, names: Names) -> bool:
        """Try whoever served last: one is enough, and where one unit could be put, the next can, mostly."""
        last = self.prefix.last.get(step.name)
        if last is None or step.name in self.prefix.secret:
            return False
        match step.source:
            case graph.Fold("gather", var, source, where, None) if not self.recall.knows(
                self.state, step.source, names
            ):
                names[step.name] = last
                try:
                    return (
                        last in self.evaluate(self.state, source, names)
                        and (where is None or self.evaluate(self.state, where, {**names, var: last}))
                        and self._finishes(steps, at + 1, names)
                    )
                except Unanswered:
                    return False  # Whoever comes before it may have to be asked first.
            case _:
                return False

    def sorter(self, step: graph.Choose, names: Names) -> Sorter | None:
        """Prepare to tell which candidates of a choice are alike, where that may be told."""
        if self.prefix.alike is None or step.name not in self.prefix.pieces:
            return None
        return Sorter(
            self.prefix.alike, self.state, {name: value for name, value in names.items() if name != step.name}
        )

    def _members(self, source: graph.Expr, names: Names) -> Iterable[Value]:
        """List what a choice is made from; what is filtered is filtered no further than the search goes."""
        match source:
            case graph.Fold("gather") if not self.recall.knows(self.state, source, names):
                return self._passing(source, dict(names))
            case _:
                found: Values = self.evaluate(self.state, source, names)
                return found

    def _passing(self, source: graph.Fold, names: Names) -> Iterator[Value]:
        """Filter as far as the search goes; whoever has seen them all need not filter again."""
        found: list[Value] = []
        for member in self.recall.evaluator.stream(self.state, source, names):
            found.append(member)
            yield member
        self.recall.remember(self.state, source, names, tuple(found))

    def _open_to(self, step: graph.Choose, found: Iterable[Value], names: Names) -> Iterable[Value]:
        """Leave out what whoever chooses does not know of."""
        if step.name not in self.prefix.secret:
            return found
        side = names.get("player", self.state.player) if step.by is None else self.evaluate(self.state, step.by, names)
        return known(self.state, side, found)

    def sizes(self, step: graph.Choose, names: Names) -> range | None:
        """Say how many members a choice takes; None where nothing is said of it."""
        return sizes(step, lambda expr: self.evaluate(self.state, expr, names))

    def _grows(self, steps: tuple[Head, ...], at: int, step: graph.Choose, names: Names, chosen: Values) -> bool:
        """Try sets or orders that begin as chosen."""
        found: Values = tuple(self._open_to(step, self.evaluate(self.state, step.source, names), names))
        for trial in islice(trials(step.how, found, chosen, self.sizes(step, names)), TRIES):
            names[step.name] = trial
            if self._finishes(steps, at + 1, names):
                return True
        return False
