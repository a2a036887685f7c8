"""Terms that stand beside others, and so adopt their prohibitions (runtime/graph/adopted_rules.py).

In: declarations with their exceptions as labels (layered/beside_terms.py). Out: for each term the declarations, with
arguments as nodes of the graph.
"""

from collections.abc import Iterable, Iterator, Mapping
from graphlib import CycleError

from compiler.layered import nodes as layered
from compiler.source import nodes as source
from compiler.source.origins import origin_of
from compiler.typed.environment import Environment, Signature, memoize_query
from compiler.typed.findings.invalid_constructs import InvalidConstruct
from compiler.typed.laws import context_for
from compiler.typed.unknown_names import unknown_word
from compiler.typed.values.expressions import elaborate
from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import RulesAndTerms, declarations_at_odds, is_adopted
from runtime.graph.closure import topological_order

YES_OR_NO = frozenset({"verdict", "condition"})


def build_beside(
    env: Environment, declared: Iterable[layered.Beside], signatures: Mapping[str, Signature]
) -> dict[str, tuple[graph.Beside, ...]]:
    """Return the declarations of each term; terms are listed behind those beside which they stand.

    Two that name the same question and arguments are one, with the exceptions of both.
    """
    found: dict[str, dict[str, graph.Beside]] = {}
    for part in declared:
        node = part.node
        beside = _beside(env, node, part.layer, part.excepted, signatures=signatures)
        if beside is None:
            continue
        first = found.setdefault(node.term.text, {}).setdefault(beside.term, beside)
        if first.arguments != beside.arguments:
            message = f"`{node.term.text}` is declared twice as beside `{beside.term}`, with different arguments"
            env.report_invalid(node.other.span, message, "delete one of the two")
            continue
        excepted = tuple(dict.fromkeys((*first.excepted, *beside.excepted)))
        found[node.term.text][beside.term] = graph.Beside(first.term, first.arguments, excepted, first.origin)
    try:
        order = topological_order({name: [*others] for name, others in found.items()})
    except CycleError as cycle:
        circle = [*dict.fromkeys(cycle.args[1])]
        span = next(part.node.span for part in declared if part.node.term.text in circle)
        message = f"{' and '.join(f'`{name}`' for name in circle)} are each declared as beside the other"
        env.report_invalid(span, message, "delete one of these declarations")
        return {}
    return {name: tuple(found[name].values()) for name in order if name in found}


def adopted_twice(stack: RulesAndTerms, declared: Iterable[layered.Beside]) -> Iterator[InvalidConstruct]:
    """Yield a problem for each declaration that gives a rule other arguments than an earlier one of the same term."""
    spans = {origin_of(part.layer, part.node.span): part.node.other.span for part in declared}
    for term in stack.terms.values():
        reported: set[graph.Beside] = set()
        for label in term.rules if len(term.beside) > 1 else ():
            if not is_adopted(stack.rules[label], term):
                continue
            first, *others = declarations_at_odds(stack, term, label)
            for beside in others:
                if beside in reported:
                    continue
                reported.add(beside)
                message = (
                    f"`{label}` applies to `{term.name}` both through `{first.term}` and through `{beside.term}`,"
                    " with different arguments"
                )
                advice = f"write `but not {label}` for one of the two"
                yield InvalidConstruct(spans[beside.origin], message, advice)


@memoize_query("beside")
def _beside(
    env: Environment,
    node: source.StandsBeside,
    layer: str,
    excepted: tuple[str, ...],
    *,
    signatures: Mapping[str, Signature],
) -> graph.Beside | None:
    """Return one declaration; None after a problem."""
    other = node.other.name
    for word in (node.term, other):
        term = signatures.get(word.text)
        if term is None:
            return env.report(unknown_word("term", word, signatures), None)
        if term.form not in YES_OR_NO:
            message = f"`{word.text}` cannot be used with `beside`, as it is neither a verdict nor a condition"
            advice = "name a verdict or a condition"
            return env.report(InvalidConstruct(word.span, message, advice), None)
    context = context_for(env, graph.parameter_types(signatures[node.term.text].parameters))
    question, _ = elaborate(node.other, context, None)
    if not isinstance(question, graph.Ask):
        return None  # Its arguments were reported.
    return graph.Beside(question.term, question.arguments, excepted, origin_of(layer, node.span))
