"""Explanations of why an action is open: the questions that it asks about the chosen values, and the deciding rules.

In: a machine, a playthrough at a decision (as the deciding side sees it), and options to apply in order. Out:
explanations of the boolean questions and costs that the last action among them depends on: in the sources of its
choices, its `legal` conditions, and its bindings before the first effect. The playthrough is unchanged.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from runtime.answer.explain import Explainer, Explanation
from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import Unanswered
from runtime.graph.conjuncts import conjuncts
from runtime.graph.walk import nodes_of
from runtime.play.blocking_reasons import BlockingReasons
from runtime.play.machine import Machine
from runtime.play.options import PICK, TAKE, Option
from runtime.play.playthrough import Playthrough
from runtime.play.tryout_playthrough import TryoutPlaythrough, UnthrownDie
from runtime.play.word_binding import ChoiceBinding
from runtime.state.record import Value

# The depth to which questions are explained.
DEPTH = 3
Question = tuple[str, tuple[Value, ...]]


class Permission(NamedTuple):
    """The procedure of the action (None if there is none), and the explained questions."""

    procedure: graph.Procedure | None
    explanations: tuple[Explanation, ...]


def explain_permission(machine: Machine, playthrough: Playthrough, options: Sequence[int]) -> Permission:
    """Explain what the last action among some options depends on; `options` are indexes in successive decisions."""
    found = _last_action(machine, playthrough, options)
    if found is None:
        return Permission(None, ())
    before, binding, picked = found
    query = BlockingReasons(machine, before.state)
    questions = dict.fromkeys(_questions(query, binding, picked))
    explainer = Explainer(Interpreter(machine.graph, elsewhere=machine.evaluator.evaluator.ask), contrary=True)
    explained = []
    for term, arguments in questions:
        with suppress(Unanswered):
            explained.append(explainer.explain_fully(before.state, term, arguments, DEPTH))
    return Permission(binding.program.procedure, tuple(explained))


PickedValues = dict[str, list[Value]]


def _last_action(
    machine: Machine, playthrough: Playthrough, options: Sequence[int]
) -> tuple[Playthrough, ChoiceBinding, PickedValues] | None:
    """Apply options in a copy; return the playthrough before the last action, its start, and its choices."""
    quiet, playthrough_copy = machine.without_listeners(), TryoutPlaythrough.copy_of(playthrough)
    found: tuple[Playthrough, ChoiceBinding, PickedValues] | None = None
    for index in options:
        try:
            decision = quiet.run(playthrough_copy)
        except UnthrownDie:
            break
        if decision is None or index >= len(decision.options):
            break
        option, call = decision.options[index], playthrough_copy.calls[-1]
        if option.kind == TAKE:
            found = _begun(machine, TryoutPlaythrough.copy_of(playthrough_copy), option, decision.side)
        elif found is None:  # The playthrough stands within an action already.
            binding = ChoiceBinding(machine.program_of(call), call.offset, dict(call.names), {})
            found = TryoutPlaythrough.copy_of(playthrough_copy), binding, {}
        if option.kind == PICK and found is not None:
            found[2].setdefault(option.name, []).append(option.value)
        try:
            quiet.take(playthrough_copy, option)
        except UnthrownDie:
            break
    return found


def _begun(
    machine: Machine, before: Playthrough, option: Option, side: str
) -> tuple[Playthrough, ChoiceBinding, PickedValues]:
    """Return the state at the beginning of an action."""
    program = machine.programs.entries[f"action:{option.name}"]
    return before, ChoiceBinding(program, 0, program.bind_parameters(tuple(option.value or ()), side), {}), {}


def _questions(query: BlockingReasons, binding: ChoiceBinding, picked: PickedValues) -> Iterator[Question]:
    """Yield the questions of an action about the chosen values, before its first effect."""
    state, evaluate = query.state, query.evaluate
    with suppress(Unanswered, KeyError):  # What was not chosen yet answers nothing.
        for step in binding.program.steps[binding.offset :]:
            match step:
                case graph.Let(name=name, value=value):
                    binding.names[name] = evaluate(state, value, binding.names)
                    if isinstance(value, graph.Ask) and isinstance(
                        query.game.graph.terms[value.term].type, graph.Number
                    ):
                        yield from _asked(query, binding, value)  # A price; what sets are made of choices ask.
                case graph.Legal(condition=condition):
                    yield from _asked(query, binding, condition)
                case graph.Choose(name=name):
                    # A single member is chosen without a decision.
                    values = picked.get(name) or [*evaluate(state, step.source, binding.names)][:2]
                    if not values or (name not in picked and len(values) > 1):
                        return
                    yield from _of_member(query, binding, step, values[0])
                    binding.names[name] = tuple(values) if step.how else values[0]
                case graph.Tell():
                    pass
                case _:
                    return


def _of_member(query: BlockingReasons, binding: ChoiceBinding, step: graph.Choose, value: Value) -> Iterator[Question]:
    """Yield the questions of a choice about a member, with names and questions that denote a set expanded."""
    inner_binding, source = query.expanded_source(binding, step.source)
    if isinstance(source, graph.Fold) and source.op == "gather" and source.body is None:
        yield from _asked(query, replace(inner_binding, names={**inner_binding.names, source.var: value}), source.where)


def _asked(query: BlockingReasons, binding: ChoiceBinding, condition: graph.Expr | None) -> Iterator[Question]:
    """Yield the questions of a condition with known arguments whose answer is a boolean or a number."""
    for part in conjuncts(condition):
        for each in nodes_of(graph.Ask, part):
            if graph.FROM in each.arguments:
                continue
            if not isinstance(query.game.graph.terms[each.term].type, graph.YesNo | graph.Number):
                continue
            if (values := query.known_values(each.arguments, binding.names)) is not None:
                yield each.term, values
