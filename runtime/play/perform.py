"""Execution of an example's acts: actions with given choices, and single steps.

In: a machine, a playthrough without a running procedure, and values by the name of their choice. Out: the reason of a
refusal, or the changed position. A refused action changes nothing.

A choice that the example leaves open takes its only candidate; an offer in between (another side's reaction, for
instance) is ended if it may end.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.free_names import free_names
from runtime.play.added_procedures import add_procedure
from runtime.play.machine import Machine
from runtime.play.named_choice_use import ClosedAction, NamedChoiceUse
from runtime.play.options import END, STOP, TAKE, Decision
from runtime.play.playthrough import CHOSEN, OFFER_TAKEN, FrameHook, Names, Playthrough, ProcedureFrame
from runtime.play.refusal_parts import RefusalReason
from runtime.play.scripted_choices import (
    ChosenValues,
    ScriptedChoices,
    answering_name,
    choices_of_procedure,
    count_unused,
    label_in_examples,
    last_value,
    taker_name,
)
from runtime.play.scripted_heads import (
    begin_action,
    candidates_text,
    choose_head,
    head_refusal,
    is_left_open,
    selection_mismatch_text,
)
from runtime.play.tryout_playthrough import TryoutPlaythrough
from runtime.state.record import Value

EXAMPLE = "example"


def perform_action(
    machine: Machine, playthrough: Playthrough, action: str, chosen: ChosenValues,
    besides: Callable[[], RefusalReason | None] = lambda: None, choice_use: NamedChoiceUse | None = None,
) -> RefusalReason | None:  # fmt: skip
    """Perform an action with these choices, or return why it is refused: by its own conditions, or else by `besides`.

    `choice_use` records the use of the choices.
    """
    call, refused = begin_action(machine, playthrough, action, chosen)
    refused = refused or besides() or _obligation_refusal(machine, playthrough, call)
    if refused is None:
        playthrough.calls.append(call)
        choice_use = choice_use or NamedChoiceUse()
        for name in call.names:
            choice_use.ask(chosen, answering_name(chosen, call.key, name) or name, call.key)
        for step in machine.program_of(call).steps[: call.offset]:
            if isinstance(step, graph.Choose):
                _check_side(machine, playthrough, chosen, choice_use, call, step)
        _run_recorded(machine, playthrough, chosen, choice_use)
    return refused


def _run_recorded(machine: Machine, playthrough: Playthrough, chosen: ChosenValues, choice_use: NamedChoiceUse) -> None:
    """Run to the end with the given choices, and record in `choice_use` which of them are used."""
    record = partial(_record_decision, machine, playthrough, chosen, choice_use)
    _run_to_end(machine, playthrough, chosen, record, choice_use)


def _record_decision(
    machine: Machine, playthrough: Playthrough, chosen: ChosenValues, choice_use: NamedChoiceUse, call: ProcedureFrame
) -> None:
    """Record a decision that asks for a named choice, or an offered action that would ask for it."""
    step = machine.step_of(call)
    if isinstance(step, graph.Choose):
        name = answering_name(chosen, call.key, step.name)
        if name and CHOSEN not in call.names:
            choice_use.ask(chosen, name, call.key)
            _check_side(machine, playthrough, chosen, choice_use, call, step)
            _hold(machine, playthrough, call, step, last_value(chosen, name))
        return
    assert isinstance(step, graph.Offer)
    is_repeated = bool(call.names.get(OFFER_TAKEN))
    for action, arguments in step.actions:
        names = _named_in(machine, action, chosen, is_repeated=is_repeated)
        side = machine.choices.site(call).side(playthrough.state, call.names)
        if names and chosen.get(taker_name(action), side) == side:
            values = tuple(machine.value(playthrough, call, argument) for argument in arguments)
            opening = machine.programs.entries[f"action:{action}"].bind_parameters(values, side)
            action_call = machine.frame(f"action:{action}", opening)
            refused = head_refusal(machine, playthrough, action_call, chosen)
            if refused is None:
                continue
            closed = ClosedAction(action, refused, playthrough.copy(), action_call.offset)
            # The action may be offered several times, some of which can never take the choice: the one that gets
            # farthest is reported.
            choice_use.closed_actions.update((name, closed) for name in names if choice_use.is_farthest(name, closed))


def _check_side(
    machine: Machine,
    playthrough: Playthrough,
    chosen: ChosenValues,
    choice_use: NamedChoiceUse,
    call: ProcedureFrame,
    step: graph.Choose,
) -> None:
    """Raise where a choice is asked of another side than the example states by `CHOICE.player`."""
    stated = chosen.get(taker_name(step.name))
    if stated is not None:
        choice_use.ask(chosen, taker_name(step.name), call.key)
        on_move = call.names.get("player", playthrough.state.player)
        side = on_move if step.by is None else machine.value(playthrough, call, step.by)
        if side != stated:
            raise machine.broken_rules(playthrough, f"`{step.name}` is asked of {side}, not of {stated}")


def _hold_named(
    machine: Machine, playthrough: Playthrough, names: Names, procedure_by_name: dict[str, str], call: ProcedureFrame
) -> None:
    """Raise where a name answers two procedures, or a choice of several with members that it does not take.

    `procedure_by_name` maps each name to the procedure that asked for it.
    """
    step = machine.step_of(call)
    if isinstance(step, graph.Choose) and CHOSEN not in call.names:
        name = answering_name(names, call.key, step.name)
        if name and (first := procedure_by_name.setdefault(name, call.key)) != call.key:
            label, other_label = label_in_examples(first), label_in_examples(call.key)
            message = f"`{name}` is asked by `{label}` and `{other_label}`"
            raise machine.broken_rules(playthrough, f"{message}: say whose each is, as `choosing {label}.{name}: ..`")
        if not step.how:
            return
        if name and isinstance(names[name], tuple):
            _hold(machine, playthrough, call, step, names[name])
        elif name:
            raise machine.broken_rules(playthrough, f"`{name}` is no set, and the choice `{step.name}` takes one")


def _hold(machine: Machine, playthrough: Playthrough, call: ProcedureFrame, step: graph.Choose, value: Value) -> None:
    """Raise where the named value is no candidate."""
    found = machine.choices.visible_members(playthrough, call, machine.value(playthrough, call, step.source))
    values = value if step.how else (value,)
    missing = [member for member in values if member not in found]
    if missing:
        message = candidates_text(machine, playthrough, call, missing)
        raise machine.broken_rules(playthrough, f"{message} cannot be chosen for `{step.name}`")
    if step.how and (message := selection_mismatch_text(machine, playthrough, call, step, values)):
        raise machine.broken_rules(playthrough, message)
    if not step.how and machine.obligations.are_running(playthrough):
        # A single option is taken without a decision, so that a different named choice would go unnoticed.
        left = [option.value for option in machine.decide(playthrough, call).options]
        if value not in left:
            message = (
                f"the offer under way leaves {candidates_text(machine, playthrough, call, left)} open for `{step.name}`"
            )
            raise machine.broken_rules(playthrough, f"{message}, not what is said here")


def execute_steps(
    machine: Machine,
    playthrough: Playthrough,
    steps: Iterable[graph.Step],
    names: Names,
    types: Mapping[str, graph.Type],
    answers: ScriptedChoices | None = None,
) -> Names:
    """Execute steps with these bindings; return the bindings extended by those of the steps.

    Choices take the binding with their name; `answers` take precedence.
    """
    add_procedure(machine, EXAMPLE, steps, types)
    call = machine.frame(EXAMPLE, {**names, "player": playthrough.state.player})
    playthrough.calls.append(call)
    if answers is None:
        _run_to_end(machine, playthrough, names, partial(_hold_named, machine, playthrough, names, {}))
    else:
        chosen, choice_use = answers.with_names(names), NamedChoiceUse()
        _run_recorded(machine, playthrough, chosen, choice_use)
    del machine.programs.entries[EXAMPLE]
    return call.names


def _named_in(machine: Machine, action: str, chosen: ChosenValues, *, is_repeated: bool) -> list[str]:
    """Return the names given for an action and its choices; `is_repeated`: only those with unused values."""
    program = machine.programs.entries.get(f"action:{action}")
    if program is None:
        return []
    choices = (step.name for step in program.steps if isinstance(step, graph.Choose))
    names = [*(answering_name(chosen, program.key, choice) for choice in choices), taker_name(action)]
    return [name for name in names if name in chosen and (not is_repeated or count_unused(chosen, name))]


def _named_actions(
    machine: Machine, playthrough: Playthrough, decision: Decision, chosen: ChosenValues, *, is_repeated: bool
) -> list[int]:
    """Return the options of an offer that match the named choices best and are open with them.

    An action all of whose first choices are named precedes one with unnamed choices; among actions without common
    names the one that is named first.
    """
    found: list[tuple[bool, int, int]] = []
    for number, option in enumerate(decision.options):
        names = _named_in(machine, option.name, chosen, is_repeated=is_repeated) if option.kind == TAKE else []
        if names and chosen.get(taker_name(option.name), decision.side) == decision.side:
            parameters = machine.programs.entries[f"action:{option.name}"].procedure.parameters
            arguments = {parameter.name: value for parameter, value in zip(parameters, option.value, strict=True)}
            call = machine.frame(f"action:{option.name}", {"player": decision.side, **arguments})
            refused = choose_head(machine, playthrough, call, chosen)
            if is_left_open(refused, choices_of_procedure(chosen, call.key)):
                found.append((refused is None, len(names), number))
    best = max((candidate[:2] for candidate in found), default=None)
    numbers = [candidate[2] for candidate in found if candidate[:2] == best]
    named = {decision.options[number].name: number for number in reversed(numbers)}
    names_by_action = {
        action: _named_in(machine, action, chosen, is_repeated=is_repeated) for action in reversed(named)
    }
    shared = [name for name in chosen if sum(name in names for names in names_by_action.values()) > 1]
    if shared:
        action_list = words.list_text([f"`{action}`" for action in names_by_action])
        message = (
            f"the example does not say which of {action_list} is taken; "
            f"`{next(iter(names_by_action))}.{shared[0]}: ..` would"
        )
        raise machine.broken_rules(playthrough, message)
    order = list(chosen)
    first = min(names_by_action, key=lambda action: min(map(order.index, names_by_action[action])), default="")
    return [named[first]] if first else []


def _run_to_end(
    machine: Machine,
    playthrough: Playthrough,
    chosen: ChosenValues,
    watch: FrameHook | None,
    choice_use: NamedChoiceUse | None = None,
) -> None:
    """Run to the end of all procedures with the given choices, and record the use of names in `choice_use`."""
    while (decision := machine.run(playthrough, watch=watch)) is not None:
        option = decision.options[_find_option(machine, playthrough, decision, chosen)]
        if choice_use is not None and option.kind == TAKE and taker_name(option.name) in chosen:
            choice_use.ask(chosen, taker_name(option.name), f"action:{option.name}")
        machine.take(playthrough, option)


def _find_option(machine: Machine, playthrough: Playthrough, decision: Decision, chosen: ChosenValues) -> int:
    """Return the index of the option that an example asks for."""
    call = playthrough.calls[-1]
    step = machine.step_of(call)
    name = answering_name(chosen, call.key, step.name) if isinstance(step, graph.Choose) else ""
    if isinstance(step, graph.Offer):
        numbers = _named_actions(machine, playthrough, decision, chosen, is_repeated=bool(call.names.get(OFFER_TAKEN)))
        numbers += [number for number, option in enumerate(decision.options) if option.kind == END]
    elif isinstance(step, graph.Choose) and name:
        value = last_value(chosen, name)
        if step.how == "order":
            numbers = [n for n, o in enumerate(decision.options) if o.value == value[len(call.names.get(CHOSEN, ()))]]
        elif step.how == "any":
            numbers = [n for n, o in enumerate(decision.options) if o.kind == STOP or o.value in value]
        else:
            numbers = [n for n, o in enumerate(decision.options) if o.value == value]
    else:
        numbers = []
    if not numbers:
        raise machine.broken_rules(
            playthrough, f"the example leaves open what {decision.side} answers to {decision.question}"
        )
    return numbers[0]


# ---------------------------------------------------------------- the obligation of an offer


KNOWN = {"player"}


def _obligation_refusal(
    machine: Machine, playthrough: Playthrough, action_call: ProcedureFrame
) -> RefusalReason | None:
    """Return the obligation that cannot be met after an action; None if some offer admits it.

    An offer that reads names of its procedure is skipped, as an example does not have them.
    """
    if not machine.obligations.offers:
        return None
    refused: RefusalReason | None = None
    for key, offset, offer in _offers(machine, action_call.key.removeprefix("action:")):
        call = machine.frame(key, {"player": action_call.names["player"]}, offset)
        if not offer.must or free_names((offer.until, offer.keeping, offer.by)) - KNOWN:
            return None
        if machine.choices.site(call).side(playthrough.state, call.names) != action_call.names["player"]:
            continue
        refused = _missed(machine, playthrough, call, action_call, offer)
        if refused is None:
            return None
    return refused


def _offers(machine: Machine, action: str) -> list[tuple[str, int, graph.Offer]]:
    """Return the offers that contain an action."""
    return [
        (key, offset, step)
        for key, program in machine.programs.entries.items()
        for offset, step in enumerate(program.steps)
        if isinstance(step, graph.Offer) and any(name == action for name, _ in step.actions)
    ]


def _missed(
    machine: Machine, playthrough: Playthrough, call: ProcedureFrame, action_call: ProcedureFrame, offer: graph.Offer
) -> RefusalReason | None:
    """Return the reason if an offer is certain to be missed after an action, else None."""
    trial = TryoutPlaythrough.copy_of(playthrough)
    trial.calls = [call, action_call.copy()]
    lookahead = machine.obligations.make_search(offer, 0)
    if lookahead.can_be_met_after(trial, None, 1) is not False:
        return None
    trial.calls = trial.calls[:1]
    if machine.obligations.make_search(offer, 0).can_be_met_after(trial, None, 1) is False:
        return None
    return RefusalReason(offer.until, "", {"player": action_call.names["player"]}, after=lookahead.missed_playthrough)
