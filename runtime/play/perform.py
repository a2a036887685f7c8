"""Do what an example says: take an action with given choices, or carry out single steps.

In: a machine, a course with nothing running, and values by the name of their choice. Out: what
stood in the way, or the position changed. A refused action changes nothing.

Choices that the example leaves open are settled by themselves where only one candidate is left;
an offer on the way (another side's reaction, say) is passed if it may end.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import field
from functools import partial

from runtime.answer.answer import Unanswered
from runtime.answer.saying import say
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.frozen import dataclass
from runtime.graph.type_of import SIDE
from runtime.play.choices import END, STOP, TAKE, Decision
from runtime.play.course import OFFER_TAKEN, Call, Course, Names
from runtime.play.flatten import flatten
from runtime.play.machine import Machine, Watch
from runtime.play.misfit import misfit
from runtime.play.obliged import unoffered
from runtime.play.refusal_reason import RefusalReason
from runtime.play.scripted_choices import (
    Chosen,
    ScriptedChoices,
    asked_last,
    label_in_examples,
    name_in,
    unasked,
    who_takes,
    within,
)
from runtime.state.record import Value

EXAMPLE = "example"
SILENT = graph.Origin("", "", 0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class ClosedAction:
    """An action that was offered on the way, could not be taken with what was to be chosen in it, and why.

    `at` is the instruction that it got to.
    """

    action: str
    refused: RefusalReason
    course: Course
    at: int = 0

    @property
    def progress(self) -> tuple[int, bool]:
        """Return how far it got; a member that a condition keeps out got farther than one that is not looked at."""
        return self.at, self.refused.condition is not None


@dataclass(frozen=True, slots=True)
class NamedChoiceUse:
    """What became of choices that were named: in which procedures they were asked for, and what was not open."""

    asked: dict[str, dict[str, None]] = field(default_factory=dict)
    closed: dict[str, ClosedAction] = field(default_factory=dict)

    def ask(self, chosen: Chosen, name: str, key: str) -> None:
        """Note that somebody is asked in a procedure for what is given under a name."""
        self.asked.setdefault(name, {})[key] = None
        if isinstance(chosen, ScriptedChoices) and name in chosen:
            chosen.ask(name, key)

    def first_closed(self, names: Iterable[str]) -> ClosedAction | None:
        """Return the action in which one of these was to be chosen and nobody was asked to; None if there is none."""
        return next((self.closed[name] for name in names if name in self.closed and name not in self.asked), None)

    def is_farthest(self, name: str, closed: ClosedAction) -> bool:
        """Return whether no action that would have asked for this choice got as far as this one."""
        return name not in self.closed or closed.progress > self.closed[name].progress


def perform(
    machine: Machine, course: Course, action: str, chosen: Chosen,
    besides: Callable[[], RefusalReason | None] = lambda: None, met: NamedChoiceUse | None = None,
) -> RefusalReason | None:  # fmt: skip
    """Take an action with these choices, or say what forbids it: its own conditions, or else something `besides`.

    In `met` it notes what became of the choices.
    """
    call, refused = _begun(machine, course, action, chosen)
    refused = refused or besides() or unoffered(machine, course, call)
    if refused is None:
        course.calls.append(call)
        met = met or NamedChoiceUse()
        for name in call.names:
            met.ask(chosen, name_in(chosen, call.key, name) or name, call.key)
        run_to_end(machine, course, chosen, partial(_meet, machine, course, chosen, met), met)
    return refused


def _meet(machine: Machine, course: Course, chosen: Chosen, met: NamedChoiceUse, call: Call) -> None:
    """Note where somebody is asked for what is to be chosen, or is offered an action that would ask for it."""
    program = machine.programs.of[call.key]
    step = program.code[call.at]
    if isinstance(step, graph.Choose):
        name = name_in(chosen, call.key, step.name)
        if name and "#chosen" not in call.names:
            met.ask(chosen, name, call.key)
            _hold(machine, course, call, step, asked_last(chosen, name))
        return
    assert isinstance(step, graph.Offer)
    again = bool(call.names.get(OFFER_TAKEN))
    for action, arguments in step.actions:
        names = _named_in(machine, action, chosen, again=again)
        side = machine.choices.asked(call).side(course.state, call.names)
        if names and chosen.get(who_takes(action), side) == side:
            values = tuple(machine.value(course, call, argument) for argument in arguments)
            opening = machine.choices.opening(f"action:{action}", values, side)
            begun = Call(f"action:{action}", 0, opening)
            refused = _refused(machine, course, begun, chosen)
            if refused is None:
                continue
            closed = ClosedAction(action, refused, course.copy(), begun.at)
            # Several may be offered it, and some of them could never take it: what gets furthest says most.
            met.closed.update((name, closed) for name in names if met.is_farthest(name, closed))


def _hold_named(machine: Machine, course: Course, names: Names, asking: dict[str, str], call: Call) -> None:
    """Stop where a name answers two procedures, or a choice of several with members that it does not take.

    `asking` keeps which procedure asked for each name.
    """
    step = machine.programs.of[call.key].code[call.at]
    if isinstance(step, graph.Choose) and "#chosen" not in call.names:
        name = name_in(names, call.key, step.name)
        if name and (first := asking.setdefault(name, call.key)) != call.key:
            one, other = label_in_examples(first), label_in_examples(call.key)
            asked = f"`{name}` is asked by `{one}` and `{other}`"
            raise machine.broken(course, f"{asked}: say whose each is, as `choosing {one}.{name}: ..`")
        if not step.how:
            return
        if name and isinstance(names[name], tuple):
            _hold(machine, course, call, step, names[name])
        elif name:
            raise machine.broken(course, f"`{name}` is no set, and the choice `{step.name}` takes one")


def _hold(machine: Machine, course: Course, call: Call, step: graph.Choose, value: Value) -> None:
    """Stop where what is to be chosen is not among what may be."""
    found = machine.choices.shown(course, call, machine.value(course, call, step.source))
    wanted = value if step.how else (value,)
    missing = [member for member in wanted if member not in found]
    if missing:
        said = _listed(machine, course, call, missing)
        raise machine.broken(course, f"{said} cannot be chosen for `{step.name}`")
    if step.how and (said := _misfit(machine, course, call, step, wanted)):
        raise machine.broken(course, said)
    if not step.how and machine.obligations.are_running(course):
        # If only one option is left, nobody is asked: what the example says instead would go unnoticed.
        left = [option.value for option in machine.decide(course, call).options]
        if value not in left:
            said = f"the offer under way leaves {_listed(machine, course, call, left)} open for `{step.name}`"
            raise machine.broken(course, f"{said}, not what is said here")


def _misfit(machine: Machine, course: Course, call: Call, step: graph.Choose, named: tuple[Value, ...]) -> str:
    """Explain why members that may be chosen one by one do not fit a choice of several; "" if they do."""
    found = machine.choices.shown(course, call, machine.value(course, call, step.source))
    allowed = machine.choices.sizes(course, call)
    return misfit(step, len(found), named, allowed, lambda member: _listed(machine, course, call, (member,)))


def _listed(machine: Machine, course: Course, call: Call, values: Iterable[Value]) -> str:
    """Name candidates of the choice at which a call stands."""
    type_ = machine.programs.of[call.key].members[call.at]
    return words.listed([say(course.state, value, type_) if type_ else str(value) for value in values])


def _begun(machine: Machine, course: Course, action: str, chosen: Chosen) -> tuple[Call, RefusalReason | None]:
    """Begin an action: make the choices at its head."""
    program = machine.programs.of[f"action:{action}"]
    chosen = within(chosen, f"action:{action}")
    names: Names = {"player": chosen.get("player", course.state.player)}
    names |= {p.name: chosen[p.name] for p in program.procedure.parameters if p.name in chosen}
    missing = [p.name for p in program.procedure.parameters if p.name not in names]
    call = Call(f"action:{action}", 0, names)
    return call, RefusalReason(None, missing[0], names, unsaid=True) if missing else head(machine, course, call, chosen)


def head(machine: Machine, course: Course, call: Call, chosen: Chosen) -> RefusalReason | None:
    """Make the choices of an action's prefix and hold them against its conditions."""
    chosen = within(chosen, call.key)
    while (stop := to_choice(machine, course, call)) is not None:
        if isinstance(stop, RefusalReason):
            return stop
        refused = _choose(machine, course, call, stop, chosen)
        if refused is not None:
            return refused
        call.at += 1
    return None


def to_choice(machine: Machine, course: Course, call: Call) -> graph.Choose | RefusalReason | None:
    """Walk on in an action's prefix: to the next choice, to a condition that does not hold, or (None) to its end."""
    program = machine.programs.of[call.key]
    while call.at < program.prefix:
        match program.code[call.at]:
            case graph.Let(name, value):
                call.names[name] = machine.value(course, call, value)
            case graph.Legal(condition):
                if not machine.value(course, call, condition):
                    return RefusalReason(first_false(machine, course, call, condition), "", dict(call.names))
            case graph.Choose() as step:
                return step
            case _:
                pass
        call.at += 1
    return None


def first_false(machine: Machine, course: Course, call: Call, condition: graph.Expr) -> graph.Expr:
    """Find the first part of a conjunction that fails."""
    if isinstance(condition, graph.Op) and condition.op == "and":
        for part in condition.arguments:
            if not machine.value(course, call, part):
                return first_false(machine, course, call, part)
    return condition


def not_open(machine: Machine, course: Course, call: Call, step: graph.Choose, chosen: Chosen) -> RefusalReason:
    """Return which choice is not open, and what is asked of its members that one of those wanted does not fulfill."""
    match step.source:
        case graph.Fold("gather", var, source, where, None) if where is not None and step.name in chosen:
            wanted = chosen[step.name]
            for member in wanted if step.how else (wanted,):
                inside = Call(call.key, call.at, {**call.names, var: member})
                with suppress(Unanswered):  # What is lost has no hex to be asked about; that it is gone is why.
                    among = not step.how or member in machine.value(course, call, source)
                    if among and not machine.value(course, inside, where):
                        return RefusalReason(first_false(machine, course, inside, where), step.name, inside.names)
        case _:
            pass
    return RefusalReason(None, step.name, dict(call.names))


def _choose(machine: Machine, course: Course, call: Call, step: graph.Choose, chosen: Chosen) -> RefusalReason | None:
    """Bind a choice as the example says, or to the only candidate left; say why that cannot be."""
    if step.name in chosen:
        call.names[step.name] = chosen[step.name]
        return None if _may_choose(machine, course, call, step) else not_open(machine, course, call, step, chosen)
    found = machine.choices.shown(course, call, machine.value(course, call, step.source))
    if step.how:
        call.names[step.name] = found if step.how == "order" else ()
        return None
    search = machine.choices.searches[call.key]
    done = search.prefix.written.starts.index(call.at + 1)
    legal = [member for member in found if search.completes(course.state, done, {**call.names, step.name: member})]
    if len(legal) > 1:
        return RefusalReason(None, step.name, dict(call.names), unsaid=True, open=tuple(legal))
    if not legal:
        return not_open(machine, course, call, step, chosen)
    call.names[step.name] = legal[0]
    return None


def _may_choose(machine: Machine, course: Course, call: Call, step: graph.Choose) -> bool:
    """Return whether what an example has chosen may be chosen."""
    value = call.names[step.name]
    if not step.how:
        return value in machine.choices.shown(course, call, (value,)) and _among(machine, course, call, step)
    found = machine.choices.shown(course, call, machine.value(course, call, step.source))
    return all(member in found for member in value) and not _misfit(machine, course, call, step, value)


def _among(machine: Machine, course: Course, call: Call, step: graph.Choose) -> bool:
    """Return whether what an example has chosen may be chosen; of whom it has not chosen nothing need be asked."""
    value = call.names[step.name]
    match step.source:
        case graph.Fold("gather", var, source, where, None):
            inside = Call(call.key, call.at, {**call.names, var: value})
            return value in machine.value(course, call, source) and (
                where is None or bool(machine.value(course, inside, where))
            )
        case _:
            return value in machine.value(course, call, step.source)


def carry_out(
    machine: Machine,
    course: Course,
    steps: Iterable[graph.Step],
    names: Names,
    types: Mapping[str, graph.Type],
    answers: ScriptedChoices | None = None,
) -> Names:
    """Carry out steps with these names bound; return the names, those that the steps bind included.

    Who is asked on the way gets the name that is called as the choice is; what `answers` say goes before.
    """
    procedure = graph.Procedure("example", EXAMPLE, "", (), (), tuple(steps), "", "", (), SILENT)
    machine.programs.of[EXAMPLE] = flatten(EXAMPLE, procedure, machine.graph, {"player": SIDE, **types})
    machine.acts.pop(EXAMPLE, None)
    call = Call(EXAMPLE, 0, {**names, "player": course.state.player})
    course.calls.append(call)
    if answers is None:
        run_to_end(machine, course, names, partial(_hold_named, machine, course, names, {}))
    else:
        chosen, met = answers.besides(names), NamedChoiceUse()
        run_to_end(machine, course, chosen, partial(_meet, machine, course, chosen, met), met)
    del machine.programs.of[EXAMPLE]
    return call.names


def _named_in(machine: Machine, action: str, chosen: Chosen, *, again: bool) -> list[str]:
    """List the names under which an action and its choices are named; `again`: only with values not asked for yet."""
    program = machine.programs.of.get(f"action:{action}")
    if program is None:
        return []
    choices = (step.name for step in program.code if isinstance(step, graph.Choose))
    names = [*(name_in(chosen, program.key, choice) for choice in choices), who_takes(action)]
    return [name for name in names if name in chosen and (not again or unasked(chosen, name))]


def _named_actions(machine: Machine, course: Course, decision: Decision, chosen: Chosen, *, again: bool) -> list[int]:
    """List the options of an offer that an example wants taken: what it names is open there, and most of it is.

    An action all of whose first choices are named goes before one that leaves some of them open; of several that share
    no name the one that is named first.
    """
    found: list[tuple[bool, int, int]] = []
    for number, option in enumerate(decision.options):
        names = _named_in(machine, option.name, chosen, again=again) if option.what == TAKE else []
        if names and chosen.get(who_takes(option.name), decision.side) == decision.side:
            parameters = machine.programs.of[f"action:{option.name}"].procedure.parameters
            given = {parameter.name: value for parameter, value in zip(parameters, option.value, strict=True)}
            call = Call(f"action:{option.name}", 0, {"player": decision.side, **given})
            refused = head(machine, course, call, chosen)
            if _is_left_open(refused, within(chosen, call.key)):
                found.append((refused is None, len(names), number))
    best = max((fit[:2] for fit in found), default=None)
    wanted = [fit[2] for fit in found if fit[:2] == best]
    named = {decision.options[number].name: number for number in reversed(wanted)}
    asking = {action: _named_in(machine, action, chosen, again=again) for action in reversed(named)}
    shared = [name for name in chosen if sum(name in names for names in asking.values()) > 1]
    if shared:
        several = words.listed([f"`{action}`" for action in asking])
        said = f"the example does not say which of {several} is taken; `{next(iter(asking))}.{shared[0]}: ..` would"
        raise machine.broken(course, said)
    order = list(chosen)
    first = min(asking, key=lambda action: min(map(order.index, asking[action])), default="")
    return [named[first]] if first else []


def _is_left_open(refused: RefusalReason | None, chosen: Chosen) -> bool:
    """Return whether nothing is in the way of an action but what is not chosen yet, and is asked for later."""
    return refused is None or (refused.condition is None and refused.choice not in chosen)


def _refused(machine: Machine, course: Course, call: Call, chosen: Chosen) -> RefusalReason | None:
    """Explain why an action may not be taken so; what is left open is asked for when it comes to that."""
    refused = head(machine, course, call, chosen)
    return None if _is_left_open(refused, within(chosen, call.key)) else refused


def run_to_end(
    machine: Machine, course: Course, chosen: Chosen, watch: Watch | None = None, met: NamedChoiceUse | None = None
) -> None:
    """Run until nothing is left running, choosing as the example says, and note in `met` whose actions it names."""
    while (decision := machine.run(course, watch=watch)) is not None:
        option = decision.options[answer(machine, course, decision, chosen)]
        if met is not None and option.what == TAKE and who_takes(option.name) in chosen:
            met.ask(chosen, who_takes(option.name), f"action:{option.name}")
        machine.take(course, option)


def answer(machine: Machine, course: Course, decision: Decision, chosen: Chosen) -> int:
    """Find the option that an example asks for."""
    call = course.calls[-1]
    step = machine.programs.of[call.key].code[call.at]
    name = name_in(chosen, call.key, step.name) if isinstance(step, graph.Choose) else ""
    if isinstance(step, graph.Offer):
        wanted = _named_actions(machine, course, decision, chosen, again=bool(call.names.get(OFFER_TAKEN)))
        wanted += [number for number, option in enumerate(decision.options) if option.what == END]
    elif isinstance(step, graph.Choose) and name:
        value = asked_last(chosen, name)
        if step.how == "order":
            wanted = [n for n, o in enumerate(decision.options) if o.value == value[len(call.names.get("#chosen", ()))]]
        elif step.how == "any":
            wanted = [n for n, o in enumerate(decision.options) if o.what == STOP or o.value in value]
        else:
            wanted = [n for n, o in enumerate(decision.options) if o.value == value]
    else:
        wanted = []
    if not wanted:
        raise machine.broken(course, f"the example leaves open what {decision.side} answers to {decision.question}")
    return wanted[0]
