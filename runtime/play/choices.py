"""Decisions: a side, a question, and a finite list of options in canonical order.

In: a playthrough at an offer or a choice. Out: the `Decision`. An `Offering` offers an action if it can be completed
legally, a `ChoicePoint` a candidate likewise. A set is chosen by adding one member or stopping, members in canonical
order, an order by its next member; there are no other decisions (docs/language.md, 10).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

from runtime.graph import nodes as graph
from runtime.graph.marked_members import marked_candidates
from runtime.play.choice_subsets import allowed_sizes, members_after, remaining_members
from runtime.play.completion_search import ActionHead, CompletionSearch
from runtime.play.existence_checks import checked_evaluation
from runtime.play.option_evaluator import OptionEvaluator
from runtime.play.options import (
    END,
    END_OFFER,
    PICK,
    STOP_ADDING,
    TAKE,
    Candidates,
    Decision,
    Option,
    deciding_side,
)
from runtime.play.playthrough import CHOSEN, Names, Playthrough, ProcedureFrame
from runtime.play.programs import Program
from runtime.state.position import State
from runtime.state.record import Value
from runtime.state.visibility import secret_types, visible_records


class Offering:
    """An offer, with the completion searches of its actions. What does not depend on the position is precomputed."""

    __slots__ = ("_actions", "_end_condition", "_searches", "member", "question", "side", "step")

    def __init__(self, step: graph.Offer, searches: Mapping[str, CompletionSearch], evaluator: OptionEvaluator) -> None:
        """Prepare the actions; the option of one without arguments is the same in every position."""
        self.step = step
        self.question = f"offer {', '.join(name for name, _ in step.actions)}"
        self.member = None
        self.side = deciding_side(step.by, evaluator)
        self._searches = {name: searches[f"action:{name}"] for name, _ in step.actions}
        self._actions = [
            (name, tuple(evaluator.prepare_expression(argument) for argument in arguments), Option(TAKE, name, ()))
            for name, arguments in step.actions
        ]
        condition = None if step.until == graph.Truth(True) else step.until  # noqa: FBT003
        self._end_condition = (
            None if condition is None else checked_evaluation(evaluator.evaluator, evaluator.rules, condition)
        )

    def candidates(self, state: State, names: Names, side: str) -> Candidates:
        """Return the candidates: the actions and the end of the offer."""
        options = [self.option_numbered(state, names, number) for number in range(len(self._actions))]
        options.append(END_OFFER)
        return Candidates(options, partial(self.is_open, state, names, side), _same_option)

    def option_numbered(self, state: State, names: Names, number: int) -> Option:
        """Return the option of the action with this index."""
        name, arguments, plain = self._actions[number]
        if not arguments:
            return plain
        return Option(TAKE, name, tuple([argument.evaluate(state, names) for argument in arguments]))

    lazy_candidates = candidates  # An action is asked about when it is tried, and whoever lists them asks about all.

    def is_open(self, state: State, names: Names, side: str, option: Option) -> bool:
        """Return whether an action can be completed legally, or the offer may end."""
        kind, name, values = option
        if kind == END:
            return self._end_condition is None or bool(self._end_condition(state, names))
        return self._searches[name].is_open(state, values, side)


def _same_option(option: Option) -> Option:
    """Return the option itself: the candidates of an offer are options."""
    return option


class ChoicePoint:
    """A choice at its place in a program: a member is open if the action can still be completed with it.

    `search` decides completions; it is None after the head of an action.
    """

    __slots__ = (
        "_as_option",
        "_choices_before",
        "_evaluator",
        "_filter",
        "_is_secret",
        "_members",
        "_unfiltered",
        "_var",
        "member",
        "question",
        "search",
        "side",
        "step",
    )  # fmt: skip

    def __init__(
        self,
        step: graph.Choose,
        program: Program,
        offset: int,
        search: CompletionSearch | None,
        evaluator: OptionEvaluator,
        *,
        is_secret: bool,
    ) -> None:
        """Precompute what does not depend on the position."""
        self.step = step
        self.question = f"{program.procedure.name}.{step.name}"
        self.member = program.members[offset]
        self.side = deciding_side(step.by, evaluator)
        self.search = search if offset < program.head_length else None
        self._evaluator = evaluator
        self._is_secret = is_secret
        self._as_option = partial(_option_of, step.name)
        self._choices_before = sum(isinstance(earlier, graph.Choose) for earlier in program.steps[:offset])
        self._members = evaluator.prepare_expression(step.source)
        self._filter = None
        match step.source:
            case graph.Fold("gather", var, where=condition, body=None) if condition is not None and not step.how:
                candidates, others = marked_candidates(step.source, evaluator.rules)
                self._var, self._unfiltered = var, evaluator.prepare_expression(candidates)
                self._filter = None if others is None else evaluator.evaluator.value_function(others)

    def candidates(self, state: State, names: Names, side: str) -> Candidates:
        """Return the candidates."""
        return self.candidates_among(
            state, names, self.visible_members(state, side, self._members.evaluate(state, names))
        )

    def lazy_candidates(self, state: State, names: Names, side: str) -> Candidates:
        """Return the candidates with a lazy filter, evaluated only for members that are tried (`marked_members`)."""
        passes = self._filter
        if passes is None:
            return self.candidates(state, names, side)
        members, legal, option = self.candidates_among(state, names, tuple(self._unfiltered.evaluate(state, names)))
        var, bound = self._var, names.copy()

        def is_legal(member: Value) -> bool:
            bound[var] = member
            return passes(state, bound) and legal(member)

        return Candidates(members, is_legal, option)

    def candidates_among(self, state: State, names: Names, found: tuple[Value, ...]) -> Candidates:
        """Return the candidates among these members; one is open if the action can be completed with it."""
        step, search, choices_before = self.step, self.search, self._choices_before
        if search is None:
            chosen, allowed = names.get(CHOSEN, ()), self.allowed_sizes(state, names)
            return Candidates(tuple(_free_members(step, found, chosen, allowed)), _accept_all, self._as_option)
        if step.how:
            return self.next_members(search, state, names, found)
        last = search.head.search_order.is_complete(choices_before + 1)
        return Candidates(found, _accept_all if last else self.completion_test(search, state, names), self._as_option)

    def completion_test(self, search: CompletionSearch, state: State, names: Names) -> Callable[[Value], bool]:
        """Return a test whether the action can be completed with a candidate."""
        name, after = self.step.name, self._choices_before + 1
        return lambda member: search.can_complete(state, after, {**names, name: member})

    def next_members(
        self, search: CompletionSearch, state: State, names: Names, found: tuple[Value, ...]
    ) -> Candidates:
        """Return the candidates for the next member of a set or order."""
        step, choices_before = self.step, self._choices_before
        chosen, allowed = names.get(CHOSEN, ()), self.allowed_sizes(state, names)

        def can_complete_with(member: Value) -> bool:
            if member is STOP_ADDING:
                return search.can_complete(state, choices_before + 1, {**names, step.name: chosen})
            return search.can_continue(state, choices_before, names.copy(), (*chosen, member))

        more = allowed is None or len(chosen) + 1 < allowed.stop
        members = (remaining_members if step.how == "order" else members_after)(found, chosen) if more else ()
        stop = (STOP_ADDING,) if may_stop(step, chosen, allowed) else ()
        return Candidates((*members, *stop), can_complete_with, self._as_option)

    def visible_members(self, state: State, side: str, found: Iterable[Value]) -> tuple[Value, ...]:
        """Return the members without records that are secret to the deciding side."""
        return visible_records(state, side, found) if self._is_secret else tuple(found)

    def allowed_sizes(self, state: State, names: Names) -> range | None:
        """Return the admitted sizes of a choice; None where they are not restricted."""
        return allowed_sizes(self.step, lambda expr: self._evaluator.evaluate(state, expr, names))


def _option_of(name: str, member: Value) -> Option:
    """Return the option of a candidate."""
    return STOP_ADDING if member is STOP_ADDING else Option(PICK, name, member)


def _accept_all(_: Value) -> bool:
    """Admit every candidate."""
    return True


def _free_members(
    step: graph.Choose, found: tuple[Value, ...], chosen: tuple[Value, ...], allowed: range | None
) -> Iterator[Value]:
    """Yield the candidates of a choice without later conditions."""
    members = found
    if step.how:
        members = (remaining_members if step.how == "order" else members_after)(found, chosen)
    if allowed is not None:
        # Members of a set are added in order, so that a late one leaves too few after it.
        missing = allowed.start - len(chosen) if step.how == "any" else 0
        members = members[: max(0, len(members) - missing + 1)] if missing > 0 else members
        members = members if len(chosen) + 1 < allowed.stop else ()
    yield from members
    if may_stop(step, chosen, allowed):
        yield STOP_ADDING


def may_stop(step: graph.Choose, chosen: tuple[Value, ...], allowed: range | None) -> bool:
    """Return whether the chosen members may be complete; an order without bounds takes all members."""
    return step.how == "any" if allowed is None else len(chosen) in allowed


Site = Offering | ChoicePoint


class _Searches(dict[str, CompletionSearch]):
    """The completion searches of actions by key, each prepared at its first use: an example uses few."""

    def __init__(self, prepare: Callable[[str], CompletionSearch]) -> None:
        """Start with none."""
        self.prepare = prepare

    def __missing__(self, key: str) -> CompletionSearch:
        self[key] = found = self.prepare(key)
        return found


class Choices:
    """The enumerator of options, with the completion searches of all actions by their keys."""

    __slots__ = ("_sites", "evaluator", "programs", "searches", "secret")

    def __init__(
        self,
        programs: dict[str, Program],
        evaluator: OptionEvaluator,
        rules: graph.Graph,
        *,
        is_as_written: bool = False,
    ) -> None:
        """Start without sites and searches; secret records are offered to their own side only.

        With `is_as_written` a listener hears the evaluations of a module (`ActionHead`).
        """
        self.secret: frozenset[graph.Type | None] = frozenset(map(graph.RecordOf, secret_types(rules)))
        self.programs = programs
        self.evaluator = evaluator
        self.searches = _Searches(
            lambda key: CompletionSearch(
                evaluator, ActionHead(programs[key], rules, self.secret, is_as_written=is_as_written)
            )
        )
        self._sites: dict[tuple[str, int], Site] = {}

    def site(self, call: ProcedureFrame) -> Site:
        """Return the offer or choice at which a call is."""
        found = self._sites.get((call.key, call.offset))
        step = self.programs[call.key].steps[call.offset]
        if found is None or found.step is not step:  # The programs of several examples share one key.
            found = self._sites[call.key, call.offset] = self._prepared(call, step)
        return found

    def _prepared(self, call: ProcedureFrame, step: graph.Step) -> Site:
        if isinstance(step, graph.Offer):
            return Offering(step, self.searches, self.evaluator)
        assert isinstance(step, graph.Choose)
        program = self.programs[call.key]
        search = self.searches[call.key] if program.procedure.what == "action" else None
        is_secret = program.members[call.offset] in self.secret
        return ChoicePoint(step, program, call.offset, search, self.evaluator, is_secret=is_secret)

    def decision(self, playthrough: Playthrough, call: ProcedureFrame) -> Decision:
        """Return the decision at a call: open actions and the end of an offer, or the candidates of a choice."""
        site, state, names = self.site(call), playthrough.state, call.names
        side = site.side(state, names)
        options = tuple(site.candidates(state, names, side).iterate())
        return Decision(side, site.question, options, site.member)

    def visible_members(
        self, playthrough: Playthrough, call: ProcedureFrame, found: Iterable[Value]
    ) -> tuple[Value, ...]:
        """Return the members of the choice at a call without records that are secret to the deciding side."""
        site = self.site(call)
        assert isinstance(site, ChoicePoint)
        return site.visible_members(playthrough.state, site.side(playthrough.state, call.names), found)

    def allowed_sizes(self, playthrough: Playthrough, call: ProcedureFrame) -> range | None:
        """Return the admitted sizes of the choice at a call; None where they are not restricted."""
        site = self.site(call)
        assert isinstance(site, ChoicePoint)
        return site.allowed_sizes(playthrough.state, call.names)
