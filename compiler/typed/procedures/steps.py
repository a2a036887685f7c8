"""Elaboration of the steps of procedures; what a step binds is in scope for the steps after it.

In: steps as written, and the context of the first. Out: steps of the graph, and the context behind the last.

Here are the steps of control, choice and chance; position_changes.py has those that change the position.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import cast

from compiler.layered.blocks import HEAD_STEPS
from compiler.source import nodes as source
from compiler.source.origins import origin_of
from compiler.typed.context import Context
from compiler.typed.environment import UNKNOWN_TYPE, is_assignable, type_text
from compiler.typed.expansion_limit import ADVICE, TOO_LARGE, overgrown_name
from compiler.typed.findings.invalid_constructs import InvalidConstruct
from compiler.typed.findings.mismatches import TypeMismatch, WrongArity
from compiler.typed.findings.names import UnknownName
from compiler.typed.name_uses import note_step
from compiler.typed.procedures import misplaced
from compiler.typed.procedures.position_changes import ElaboratedStep, bind_unknown, type_change
from compiler.typed.unknown_names import call_text, unknown_word
from compiler.typed.values import facts, folds, places
from compiler.typed.values.expressions import elaborate, elaborate_condition
from runtime.graph import nodes as graph
from runtime.graph.predeclared_types import SIDE
from runtime.graph.words import readable_name

# The type of a choice or draw from members of a type: one, a set, or all in an order.
CHOSEN_AS: dict[str | None, Callable[[graph.Type], graph.Type]] = {
    None: lambda of: of,
    "any": partial(graph.Many, "set"),
    "order": partial(graph.Many, "list"),
}
ElaborateFunction = Callable[[source.Step, Context], ElaboratedStep | None]


def typed_sequence(body: Iterable[source.Step], context: Context) -> tuple[graph.Step, ...]:
    """Elaborate the steps of a sequence, with a memo for each block, as a layer changes few of them."""
    return _typed_steps(body, context, _memoized_block)


def _typed_steps(
    body: Iterable[source.Step], context: Context, typed: "ElaborateFunction | None" = None
) -> tuple[graph.Step, ...]:
    """Elaborate a block; what its steps bind is in scope for the later ones."""
    return typed_in(body, context, typed)[0]


def typed_in(
    body: Iterable[source.Step], context: Context, typed: "ElaborateFunction | None" = None
) -> tuple[tuple[graph.Step, ...], Context, Context]:
    """Elaborate a block, and return the contexts of its first effect and of its end as well."""
    typed, body = typed or type_step, tuple(body)
    steps: list[graph.Step] = []
    stopped, head = False, None
    for node in body:
        if stopped:
            message = "this step is never done, as the one before it stops"
            context.problems.append(InvalidConstruct(node.span, message, "delete it, or put `stop` behind an `if`"))
            break
        stopped = isinstance(node, source.Stop)
        if head is None and not isinstance(node, HEAD_STEPS):
            head = context
        context.problems.extend(misplaced.shadowed_name(node, context.names))
        found = typed(node, context)
        if found is not None:
            step, context = found
            steps.append(step)
        if not isinstance(node, HEAD_STEPS):
            context = context.without_members()  # A step with an effect may have emptied a set.
    for node in body:
        if isinstance(node, source.BeginAccount):
            context.env.account_scopes[node.span] = context.names
    lets = [(step.name, step.value) for step in steps if isinstance(step, graph.Let)]
    if (large := overgrown_name(lets)) is not None:
        span = next(node.name.span for node in body if isinstance(node, source.Let) and node.name.text == large)
        context.problems.append(InvalidConstruct(span, TOO_LARGE.format(large), ADVICE))
    return tuple(steps), head or context, context


def _memoized_block(node: source.Step, context: Context) -> ElaboratedStep | None:
    """Elaborate a step, with a memo by context if it is a block: a block binds nothing for later steps."""
    if not isinstance(node, source.Loop | source.Branch | source.Phase):
        return type_step(node, context)
    env, problem_count = context.env, len(context.problems)
    context_key = tuple(context.names.items()), context.known, context.places
    make = partial(_block_alone, node, context)
    step = env.database.query(
        "block", (node,), env.tables, make, *context_key, keep=lambda: len(context.problems) == problem_count
    )
    return None if step is None else (step, context)


def _block_alone(node: source.Step, context: Context) -> graph.Step | None:
    found = type_step(node, context)
    return None if found is None else found[0]


def type_step(node: source.Step, context: Context) -> ElaboratedStep | None:
    """Elaborate one step, and return it with the context of the next; None after a problem that leaves no step."""
    found = _step(node, context)
    if found is not None:
        note_step(node, found[0], context)
    return found


def _step(node: source.Step, context: Context) -> ElaboratedStep | None:  # noqa: C901 - one arm per step
    match node:
        case source.Let(name=name, value=value):
            expression, type_ = elaborate(value, context, None)
            named = places.is_on_scale(expression, context.places)
            return graph.Let(name.text, expression), context.with_binding(name.text, type_ or UNKNOWN_TYPE, named=named)
        case source.Legal(condition=written):
            test = elaborate_condition(written, context)
            return graph.Legal(test), context.with_facts(facts.when_true(test))
        case source.Choose():
            return _choose(node, context)
        case source.Offer():
            return _offer(node, context)
        case source.Loop(name=name, source=collection, body=body):
            bound = folds.elaborate_binder(source.Binder(node.span, name, collection, None), context)
            if bound is None:
                _typed_steps(body, context.with_binding(name.text, UNKNOWN_TYPE))
                return None
            return graph.Loop(name.text, bound[0], _typed_steps(body, bound[2].without_members())), context
        case source.Branch(condition=written, then=then, orelse=orelse):
            problem_count = len(context.problems)
            test = elaborate_condition(written, context)
            made_then = _typed_steps(then, context.with_facts(facts.when_true(test)))
            made_else = _typed_steps(orelse, context.with_facts(facts.when_false(test)))
            branch = graph.Branch(test, made_then, made_else)
            if len(context.problems) == problem_count:
                context.problems.extend(misplaced.equal_branches(node, branch))
            return branch, context
        case source.Invoke():
            return _invoke(node, context)
        case source.Roll(name=name, domain=source.Range() as dice_range):
            return _draw(source.Draw(node.span, None, name, None, dice_range), context)
        case source.Roll(name=name, domain=source.Word() as domain):
            return _roll(name, domain, context)
        case source.Draw():
            return _draw(node, context)
        case source.Each():
            return _each(node, context)
        case source.Phase(name=name, title=title, body=body):
            inner = _typed_steps(body, context)
            return graph.Phase(name.text, title or readable_name(name.text), inner, _cited(node, context)), context
        case source.Stop():
            return graph.Stop(), context
        case source.BeginAccount():
            return graph.BeginAccount(), context
        case source.Proceed(span=span):
            message = "`proceed` is only possible in a rule that `wraps` something"
            return context.report(InvalidConstruct(span, message, "write the steps themselves"), None)
        case _:
            return type_change(node, context)


def _choose(node: source.Choose, context: Context) -> ElaboratedStep | None:
    bound = folds.elaborate_binder(source.Binder(node.span, node.name, node.source, None), context)
    if bound is None:
        return bind_unknown(node.name, context)
    collection, element_type, _, _ = bound
    chooser = elaborate(node.by, context, SIDE)[0] if node.by is not None else None
    chosen = CHOSEN_AS[node.how](element_type)
    context.env.chosen[node.span] = chosen
    after = context.with_binding(node.name.text, chosen, named=isinstance(collection, graph.All))
    preferring = None
    if node.preferring is not None:
        preferring, type_ = elaborate(node.preferring, after, None)
        if type_ is not None and not isinstance(type_, graph.Number | graph.Scale):
            context.problems.append(TypeMismatch(node.preferring.span, "a number", type_text(type_)))
    least, most = _bounds(node, context)
    return graph.Choose(
        cast(graph.Choosing, node.how or ""), node.name.text, collection, chooser, preferring, least, most
    ), after


def _bounds(node: source.Choose, context: Context) -> tuple[graph.Expr | None, graph.Expr | None]:
    """Return the least and the greatest number of members of a set or an order; None where it is open."""
    if node.bounds is None:
        return None, None
    if not node.how:
        message = "`of` is not possible here, as only one is chosen"
        context.problems.append(InvalidConstruct(node.bounds.span, message, "write `choose any` or `choose order`"))
    count_type = graph.Number(None, None, "")
    least = elaborate(node.bounds.low, context, count_type)[0]
    most = elaborate(node.bounds.high, context, count_type)[0]
    context.problems.extend(misplaced.reversed_bounds(node, least, most))
    return least, most


def _offer(node: source.Offer, context: Context) -> ElaboratedStep:
    offered: list[tuple[str, tuple[graph.Expr, ...]]] = []
    for part in node.actions:
        parameters = context.env.actions.get(part.action.text)
        if parameters is None:
            context.problems.append(unknown_word("action", part.action, context.env.actions))
            continue
        arguments = _arguments(part.arguments, parameters, part.action, context)
        if (part.action.text, arguments) in offered:
            message = f"`{part.action.text}` is offered here twice"
            context.problems.append(InvalidConstruct(part.action.span, message, "delete one of the two"))
        offered.append((part.action.text, arguments))
    actor = elaborate(node.by, context, SIDE)[0] if node.by is not None else None
    until = elaborate_condition(node.until, context) if node.until is not None else None
    keeping = elaborate_condition(node.keeping, context) if node.keeping is not None else None
    context.problems.extend(misplaced.misplaced_ending(node))
    offer = graph.Offer(tuple(offered), actor, until, _cited(node, context), node.must, keeping, node.escapes)
    return offer, context


def _arguments(
    written: tuple[source.Expression, ...], parameters: tuple[graph.Parameter, ...], word: source.Word, context: Context
) -> tuple[graph.Expr, ...]:
    if len(written) != len(parameters):
        form = call_text(word.text, parameters)
        context.problems.append(WrongArity(word.span, word.text, len(parameters), len(written), form))
    return tuple(
        elaborate(part, context, parameter.type)[0] for part, parameter in zip(written, parameters, strict=False)
    )


def _invoke(node: source.Invoke, context: Context) -> ElaboratedStep | None:
    env = context.env
    name = node.name.text
    if node.what == "do":
        parameters = env.resolutions.get(name)
    else:
        parameters = env.events[name].parameters if name in env.events else None
    if parameters is None:
        category, pool = ("resolution", env.resolutions) if node.what == "do" else ("event", env.events)
        return context.report(UnknownName(node.name.span, category, name, tuple(pool)), None)
    arguments = _arguments(node.arguments, parameters, node.name, context)
    if node.what == "do":
        return graph.Do(name, arguments, _cited(node, context)), context
    return graph.Tell(name, arguments), context


def _cited(node: source.Phase | source.Offer | source.Invoke | source.Each, context: Context) -> graph.Cited | None:
    """Return the citations and the origin of a step; None if it cites nothing, in a procedure of its own layer."""
    span = node.span if isinstance(node, source.Offer) else node.name.span
    if not node.cites and (not context.layer or context.env.layer_of_file[span.file] == context.layer):
        return None
    return graph.Cited(tuple(word.text for word in node.cites), origin_of(context.env.layer_of_file[span.file], span))


def _roll(name: source.Word, domain: source.Word, context: Context) -> ElaboratedStep | None:
    die = context.env.domains.get(domain.text)
    if die is None or die.low is None or die.high is None:
        return context.report(unknown_word("domain", domain, context.env.domains), bind_unknown(name, context))
    return graph.Roll(name.text, domain.text, die.low, die.high), context.with_binding(name.text, die)


def _draw(node: source.Draw, context: Context) -> ElaboratedStep | None:
    """Elaborate a random draw; a die of computed size is drawn from a range."""
    bound = folds.elaborate_binder(source.Binder(node.span, node.name, node.source, None), context)
    if bound is None:
        return bind_unknown(node.name, context)
    collection, element_type, _, _ = bound
    count = None
    if node.count is not None:
        count = elaborate(node.count, context, graph.Number(None, None, ""))[0]
    context.problems.extend(misplaced.redundant_draw(node, count))
    drawn_type = CHOSEN_AS[node.how](element_type)
    choosing = cast(graph.Choosing, node.how or "")
    return graph.Draw(choosing, node.name.text, collection, count, element_type), context.with_binding(
        node.name.text, drawn_type
    )


def _each(node: source.Each, context: Context) -> ElaboratedStep | None:
    bound = folds.elaborate_binder(source.Binder(node.span, node.name, node.source, None), context)
    if bound is None:
        return None
    clock_types: dict[str, graph.Type] = {"turn": graph.Number(0, None, ""), "player": SIDE}
    type_ = clock_types.get(node.name.text)
    if type_ is None or not is_assignable(bound[1], type_):
        message = f"the clock has no `each {node.name.text}`"
        advice = "write `each turn in 1..8`, `each player in ..` or `for each`"
        return context.report(InvalidConstruct(node.name.span, message, advice), None)
    body = typed_sequence(node.body, bound[2].without_members())
    return graph.Each(node.name.text, bound[0], body, _cited(node, context)), context
