"""Terms of the graph: each with its own clauses, and with its rules, defeaters first.

In: the elaborated rules of a stack (laws.py), and the signature of every term. Out: graph terms. The default of a stage
queries the stage before it, and that of a term in stages its last.
"""

from collections.abc import Iterator, Mapping

from compiler.layered import nodes as layered
from compiler.source import nodes as source
from compiler.source.finding import Finding
from compiler.source.origins import origin_of
from compiler.typed.adoption import adopted_twice, build_beside
from compiler.typed.call_graph import BuiltTerms, call_graph_problems, question_counts
from compiler.typed.context import Context
from compiler.typed.environment import Environment, Signature, memoize_query, resolve_type
from compiler.typed.findings.invalid_constructs import InvalidConstruct
from compiler.typed.laws import context_for, previous_answer
from compiler.typed.placeholders import (
    indistinct_texts,
    misattributed_parameter,
    unknown_placeholders,
    verbs_of_several,
)
from compiler.typed.values.ranges import type_in_range
from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import defeaters_first, with_adopted_labels
from runtime.graph.predeclared_types import SIDE

TermStatement = layered.LayerStatement[source.Term] | layered.LayerStatement[source.Define]

# The greatest depth of exceptions to exceptions; with more, a reader could not determine which of them holds.
HIGHEST = 12


def build_terms(
    env: Environment, stack: layered.LayeredStack, signatures: Mapping[str, Signature], rules: Mapping[str, graph.Rule]
) -> dict[str, graph.Term]:
    """Return the terms by name, each with its rules, defeaters first."""
    written = _written_terms(stack)
    env.problems.extend(_too_deep_exceptions(rules, stack))
    concluding: dict[str, list[str]] = {name: [] for name in signatures}
    for label, rule in rules.items():
        for name in rule.terms:
            if name in concluding:
                concluding[name].append(label)
    beside = build_beside(env, stack.beside, signatures)
    concluding = with_adopted_labels(concluding, beside, rules)
    built: dict[str, graph.Term] = {}
    for name in signatures:
        part = written.get(name.partition(".")[0])
        layer, node = (part.layer, part.node) if part is not None else ("", None)
        labels = defeaters_first(concluding[name], rules)
        built[name] = _term(env, node, name, layer, labels, beside.get(name, ()), signatures=signatures)
    both = BuiltTerms(rules, built)
    env.problems.extend(adopted_twice(both, stack.beside))
    asks = {name: question_counts(term, both, env.database) for name, term in built.items()}
    env.problems.extend(call_graph_problems(asks, signatures))
    return built


def _too_deep_exceptions(rules: Mapping[str, graph.Rule], stack: layered.LayeredStack) -> list[Finding]:
    """Report exceptions nested so deep that a reader could not determine which of them holds."""
    top = set(rules)
    for _ in range(HIGHEST + 1):
        top = {target for label in top if label in rules for target in rules[label].defeats}
    if not top:
        return []
    height: dict[str, int] = {}
    for label in defeaters_first(rules, rules):
        for target in rules[label].defeats:
            height[target] = max(height.get(target, 0), height.get(label, 0) + 1)
    high = [label for label in sorted(height) if height[label] == HIGHEST + 1 and label in rules]
    message = f"`{{}}` has exceptions to exceptions more than {HIGHEST} levels deep"
    advice = "combine some of them in one condition"
    return [InvalidConstruct(stack.rules[label].node.label.span, message.format(label), advice) for label in high[:1]]


def _written_terms(stack: layered.LayeredStack) -> dict[str, TermStatement]:
    found: dict[str, TermStatement] = {}
    written: tuple[TermStatement, ...] = (*stack.statements_of(source.Term), *stack.statements_of(source.Define))
    for part in written:
        found.setdefault(part.node.name.text, part)  # A second declaration was reported.
    return found


@memoize_query("term")
def _term(  # noqa: PLR0913 -- each is a part of the key of the memo
    env: Environment,
    node: source.Term | source.Define | None,
    name: str,
    layer: str,
    labels: tuple[str, ...],
    beside: tuple[graph.Beside, ...],
    *,
    signatures: Mapping[str, Signature],
) -> graph.Term:
    term = signatures[name]
    context = context_for(env, graph.parameter_types(term.parameters))
    default = None
    capped = None
    reads = node.reads if node is not None else None
    if isinstance(node, source.Term) and "." not in term.name:
        if term.form in {"verdict", "condition"}:
            default = node.default in {"allowed", "yes"}
        if node.capped is not None:
            capped = (node.capped.low, node.capped.high)
            resolve_type(env, node.capped)  # Reports a range that runs backwards.
    default_value = _default_value(node, term, context, signatures)
    flag = env.flags.get(term.name) if term.form == "flag" else None
    if reads is not None and "." not in term.name:
        env.problems += _sentence_problems(env, reads, term)
    return graph.Term(
        name=term.name,
        form=term.form,
        parameters=term.parameters,
        type=term.type,
        rules=labels,
        default=default,
        otherwise=default_value,
        capped=capped,
        reads=f"{{{flag.owner}}} is {flag.reads}" if flag else reads.text if reads else "",
        denied=f"{{{flag.owner}}} is not {flag.reads}" if flag else (reads.denied or "") if reads else "",
        cites=tuple(word.text for word in node.cites) if node is not None else (),
        origin=origin_of(layer, node.name.span if node is not None else term.span),
        beside=beside,
    )


def _default_value(
    node: source.Term | source.Define | None, term: Signature, context: Context, signatures: Mapping[str, Signature]
) -> graph.Expr | None:
    """Return the value where no rule is live: of a stage that of the stage before, of a term in stages the last."""
    if term.form == "flag":
        return None
    if (previous := previous_answer(term, signatures)) is not None:
        return previous[0]
    otherwise = node.otherwise if isinstance(node, source.Term) else None
    value = type_in_range(otherwise, context, term.type, term.name) if otherwise is not None else None
    if term.stages:
        last = f"{term.name}.{term.stages[-1]}"
        return graph.Ask(last, tuple(graph.Var(part.name) for part in term.parameters))
    return value


def _sentence_problems(env: Environment, reads: source.Reads, term: Signature) -> Iterator[Finding]:
    """Report what is wrong in the sentence of a question."""
    parameters = [part.name for part in term.parameters]
    yield from unknown_placeholders(reads, parameters, "question")
    yield from indistinct_texts(reads)
    yield from misattributed_parameter(reads, parameters)
    has_plural_sides = any(env.wording.get(f"number side.{side.name}") == "plural" for side in env.enums["side"])
    plural_names = [
        part.name
        for part in term.parameters
        if isinstance(part.type, graph.Many) or (part.type == SIDE and has_plural_sides)
    ]
    yield from verbs_of_several((reads.text, reads.denied or ""), reads.span, plural_names)
    if reads.denied is not None and not isinstance(term.type, graph.YesNo | graph.Nothing):
        message = f"`denied` has no effect, as `{term.name}` is not answered yes or no"
        yield InvalidConstruct(reads.span, message, "delete it")
