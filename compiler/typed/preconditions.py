"""Elaboration of preconditions: conditions that have to hold before a step is executed.

In: a layered stack whose terms and procedures are elaborated. Out: graph nodes. The pattern is elaborated like any
step, with the parameters of the precondition in scope; its arguments have to be distinct parameters.
"""

from collections.abc import Iterator, Mapping

from compiler.layered import nodes as layered
from compiler.source import nodes as source
from compiler.source.origins import origin_of
from compiler.typed.context import Context
from compiler.typed.declarations.record import resolve_parameters
from compiler.typed.environment import Environment, memoize_query
from compiler.typed.findings.invalid_constructs import InvalidConstruct
from compiler.typed.findings.names import UnknownName
from compiler.typed.laws import context_for
from compiler.typed.procedures.steps import type_step
from compiler.typed.unknown_names import check_known, unknown_word
from compiler.typed.values import facts
from compiler.typed.values.expressions import elaborate, elaborate_condition
from runtime.graph import nodes as graph
from runtime.graph.governed_steps import arguments_of, form_of
from runtime.graph.predeclared_types import SIDE

Procedures = Mapping[str, graph.Procedure]


def build_preconditions(
    env: Environment, stack: layered.LayeredStack, procedures: Procedures
) -> tuple[graph.Precondition, ...]:
    """Return all preconditions in the order of their labels, with the exemptions that higher layers add."""
    written = {part.node.label.text: part for part in stack.statements_of(source.Precondition)}
    for part in stack.statements_of(source.Precondition):
        label = part.node.label
        if part is not written[label.text]:
            message = f"there are two preconditions named `{label.text}`"
            env.report_invalid(label.span, message, "rename one of them")
    exempt = {name: list(_exempt(env, part.node.exempt, procedures)) for name, part in written.items()}
    for node in (part.node for part in stack.statements_of(source.ExtendPrecondition)):
        if check_known(env, "precondition", node.label, written):
            exempt[node.label.text] += _exempt(env, node.exempt, procedures)
    found = []
    for name, part in sorted(written.items()):
        free = tuple(dict.fromkeys(exempt[name]))
        precondition = _precondition(env, part.node, part.layer, free)
        found += [precondition] if precondition is not None else []
    return tuple(found)


@memoize_query("precondition")
def _precondition(
    env: Environment, node: source.Precondition, layer: str, exempt: tuple[str, ...]
) -> graph.Precondition | None:
    parameters = resolve_parameters(env, node.parameters)
    context = context_for(env, graph.parameter_types(parameters))
    problem_count = len(env.problems)
    pattern = _pattern(node.step, context)
    asking = context.with_binding("player", SIDE)
    only = elaborate_condition(node.condition, asking) if node.condition is not None else None
    needs = elaborate_condition(node.needs, asking.with_facts(facts.when_true(only)) if only is not None else asking)
    if len(env.problems) > problem_count or (pattern is None and node.step is not None):
        return None
    if node.step is not None and pattern is not None:
        env.problems.extend(_misplaced(node, node.step, pattern, parameters))
    cites = tuple(word.text for word in node.cites)
    origin = origin_of(layer, node.label.span)
    return graph.Precondition(node.label.text, parameters, pattern, needs, only, exempt, node.prose, cites, origin)


def _pattern(node: source.Step | source.Begin | None, context: Context) -> graph.Step | graph.Begin | None:
    """Elaborate the step of a precondition; None for one at the table."""
    match node:
        case None:
            return None
        case source.Begin():
            return _begin(node, context)
        case _:
            stepped = type_step(node, context)
            return None if stepped is None else stepped[0]


def _begin(node: source.Begin, context: Context) -> graph.Begin | None:
    """Elaborate an action that a precondition governs."""
    choices = context.env.choices.get(node.action.text)
    if choices is None:
        return context.report(unknown_word("action", node.action, context.env.actions), None)
    types = {part.name: part.type for part in choices}
    arguments = []
    for word, name in node.choices:
        if word.text in types:
            written = source.Name(name.span, name.text)
            arguments.append((word.text, elaborate(written, context, types[word.text])[0]))
        else:
            context.problems.append(unknown_word(f"choice of {node.action.text}", word, types))
    return graph.Begin(node.action.text, tuple(arguments))


def _misplaced(
    node: source.Precondition,
    written: source.Step | source.Begin,
    pattern: graph.Step | graph.Begin,
    parameters: tuple[graph.Parameter, ...],
) -> Iterator[InvalidConstruct]:
    """Find ambiguous patterns: each argument must be a parameter, and each parameter occur once."""
    names = [each.name if isinstance(each, graph.Var) else "" for each in arguments_of(pattern).values()]
    known = {part.name for part in parameters}
    if not form_of(pattern) or "" in names or not set(names) <= known or len(set(names)) < len(names):
        message = "the step of a precondition must be written with its parameters, each once"
        advice = "write a parameter here, and test the rest in `when`"
        yield InvalidConstruct(written.span, message, advice)
    for part in node.parameters:
        if part.name.text not in names:
            message = f"the step does not use the parameter `{part.name.text}`"
            yield InvalidConstruct(part.name.span, message, "use it in the step, or delete it")


def _exempt(env: Environment, references: tuple[source.ProcedureName, ...], procedures: Procedures) -> Iterator[str]:
    """List the procedures that are exempt."""
    for reference in references:
        procedure_kind = reference.key.partition(":")[0]
        if procedure_kind == "phase":
            message = "a phase cannot be exempted from a precondition"
            advice = f"add `when game.phase != {reference.name.text}` before it"
            env.report_invalid(reference.span, message, advice)
            continue
        known = {
            each.event if procedure_kind == "hook" else each.name
            for each in procedures.values()
            if each.what == procedure_kind
        }
        if reference.event not in known:
            called = "event with a hook" if procedure_kind == "hook" else procedure_kind
            env.problems.append(UnknownName(reference.name.span, called, reference.event, tuple(sorted(known))))
        else:
            yield reference.key
