"""Terms of the graph: each with its own clauses, and with its rules, defeaters first.

In: the elaborated rules of a stack (laws.py), and the signature of every term. Out: graph terms. The default of a stage
queries the stage before it, and that of a term in stages its last.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from graphlib import CycleError

from compiler.layered import nodes as layered
from compiler.query.database import Database
from compiler.source import nodes as source
from compiler.source.origins import origin_of
from compiler.source.span import NOWHERE
from compiler.typed.context import Context
from compiler.typed.environment import Environment, Signature, memoize_query, resolve_type
from compiler.typed.laws import context_for, previous_answer
from compiler.typed.placeholders import indistinct_texts, misattributed_parameter, unknown_placeholders
from compiler.typed.problems import InvalidConstruct, Problem, TermCycle
from compiler.typed.values.ranges import type_in_range
from runtime.graph import nodes as graph
from runtime.graph.call_graph import terms_queried
from runtime.graph.closure import topological_order

Written = layered.LayerStatement[source.Term] | layered.LayerStatement[source.Define]

# The greatest depth of exceptions to exceptions; with more, a reader could not determine which of them holds.
HIGHEST = 12


def build_terms(
    env: Environment, stack: layered.LayeredStack, signatures: Mapping[str, Signature], rules: Mapping[str, graph.Rule]
) -> dict[str, graph.Term]:
    """Build every term with its rules, defeaters first."""
    written = _written_terms(stack)
    env.problems.extend(_too_deep_exceptions(rules, stack))
    concluding: dict[str, list[str]] = {name: [] for name in signatures}
    for label, rule in rules.items():
        for name in rule.terms:
            if name in concluding:
                concluding[name].append(label)
    built: dict[str, graph.Term] = {}
    for name in signatures:
        part = written.get(name.partition(".")[0])
        layer, node = (part.layer, part.node) if part is not None else ("", None)
        labels = _ordered(concluding[name], rules)
        built[name] = _term(env, node, name, layer, labels, signatures=signatures)
    asks = {name: question_counts(term, rules, env.database) for name, term in built.items()}
    env.problems.extend(term_cycles(asks, signatures))
    return built


def _too_deep_exceptions(rules: Mapping[str, graph.Rule], stack: layered.LayeredStack) -> list[Problem]:
    """Report exceptions nested so deep that a reader could not determine which of them holds."""
    top = set(rules)
    for _ in range(HIGHEST + 1):
        top = {target for label in top if label in rules for target in rules[label].defeats}
    if not top:
        return []
    height: dict[str, int] = {}
    for label in _ordered(rules, rules):
        for target in rules[label].defeats:
            height[target] = max(height.get(target, 0), height.get(label, 0) + 1)
    high = [label for label in sorted(height) if height[label] == HIGHEST + 1 and label in rules]
    message = f"above `{{}}` exceptions to exceptions go more than {HIGHEST} deep"
    advice = "join some of them in one condition: nobody could say any more which of them holds"
    return [InvalidConstruct(stack.rules[label].node.label.span, message.format(label), advice) for label in high[:1]]


def _written_terms(stack: layered.LayeredStack) -> dict[str, Written]:
    found: dict[str, Written] = {}
    written: tuple[Written, ...] = (*stack.statements_of(source.Term), *stack.statements_of(source.Define))
    for part in written:
        found.setdefault(part.node.name.text, part)  # A second declaration was reported.
    return found


@memoize_query("term")
def _term(
    env: Environment,
    node: source.Term | source.Define | None,
    name: str,
    layer: str,
    labels: tuple[str, ...],
    *,
    signatures: Mapping[str, Signature],
) -> graph.Term:
    term = signatures[name]
    context = context_for(env, {part.name: part.type for part in term.parameters})
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
        env.problems += _sentence_problems(reads, term)
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


def _sentence_problems(reads: source.Reads, term: Signature) -> Iterator[Problem]:
    """Report what is wrong in the sentence of a question."""
    parameters = [part.name for part in term.parameters]
    yield from unknown_placeholders(reads, parameters, "question")
    yield from indistinct_texts(reads)
    yield from misattributed_parameter(reads, parameters)
    if reads.denied is not None and not isinstance(term.type, graph.YesNo | graph.Nothing):
        message = f"`denied` says nothing of `{term.name}`, which is not answered yes or no"
        yield InvalidConstruct(reads.span, message, "leave it out")


def _ordered(labels: Iterable[str], rules: Mapping[str, graph.Rule]) -> tuple[str, ...]:
    """Sort rules topologically, defeaters before what they defeat, else by label."""
    defeaters: dict[str, list[str]] = {label: [] for label in labels}
    for label in defeaters:
        for target in rules[label].defeats:
            if target in defeaters:
                defeaters[target].append(label)
    try:
        return tuple(topological_order(defeaters))
    except CycleError:  # It was reported where relations were resolved.
        return tuple(sorted(defeaters))


# ---------------------------------------------------------------- the call graph of terms


# Printed games have about a dozen levels. Answers are evaluated by nested calls, of which Python allows a thousand.
DEEPEST = 100
# In printed games, an answer takes some hundred queries, counted transitively.
MOST_ASKED = 1_000_000


def question_counts(term: graph.Term, rules: Mapping[str, graph.Rule], database: Database) -> dict[str, int]:
    """Count the queries of a term, in its default and its rules."""
    term_rules = [rules[label] for label in term.rules]
    return database.derive("terms asked", (term, *term_rules), partial(_count_calls, term, term_rules))


def _count_calls(term: graph.Term, rules: list[graph.Rule]) -> dict[str, int]:
    others = Counter(terms_queried((term.otherwise, *((rule.names, rule.guard, rule.value) for rule in rules))))
    return {other: others[other] for other in sorted(others)}


def term_cycles(asks: Mapping[str, Mapping[str, int]], signatures: Mapping[str, Signature]) -> list[Problem]:
    """Return the problems of the call graph; `asks` has the number of queries from each term to the others."""
    if _harmless(asks):
        return []
    asks = {name: {other: times for other, times in others.items() if other in asks} for name, others in asks.items()}
    found: list[Problem] = []
    visited: set[str] = set()

    def visit(name: str, path: list[str]) -> None:
        if len(path) > DEEPEST:
            message = f"`{path[0]}` asks others that ask others, more than {DEEPEST} deep"
            found.append(
                InvalidConstruct(signatures[path[0]].span, message, "let one of them answer without asking the next")
            )
            visited.update(asks)
        elif name in path:
            circle = path[path.index(name) :]
            spans = tuple(signatures[part].span for part in circle if signatures[part].span != NOWHERE)
            found.append(TermCycle(spans, tuple(circle)))
            visited.update(circle)
        elif name not in visited:
            for other in asks[name]:
                visit(other, [*path, name])
            visited.add(name)

    for name in sorted(asks):
        visit(name, [])
    return found or _excessive_calls(asks, signatures)


def _harmless(asks: Mapping[str, Mapping[str, int]]) -> bool:
    """Return whether the graph has no cycle, no long chain and no excessive number of queries.

    Names that are no terms are ignored, as they are not evaluated.
    """
    often: dict[str, int] = {}
    deep: dict[str, int] = {}

    def count(name: str, level: int) -> None:
        # Provisional values until all callees are counted: a cycle, or a chain that is too long, exceeds the depth.
        often[name], deep[name] = 0, DEEPEST
        depth, times = 0, 1
        for other, so_often in asks[name].items():
            if other not in often:
                if other not in asks:
                    continue
                if level == DEEPEST:
                    depth = DEEPEST
                    break
                count(other, level + 1)
            times += so_often * often[other]
            depth = max(depth, deep[other])
        often[name], deep[name] = times, depth + 1

    for name in asks:
        if name not in often:
            count(name, 1)
    return max(deep.values(), default=0) <= DEEPEST and max(often.values(), default=0) <= MOST_ASKED


def _excessive_calls(asks: Mapping[str, Mapping[str, int]], signatures: Mapping[str, Signature]) -> list[Problem]:
    """Count the queries of each answer transitively; report the lowest terms that exceed the limit."""
    often: dict[str, int] = {}

    def count(name: str) -> int:
        if name not in often:
            often[name] = 1 + sum(times * count(other) for other, times in asks[name].items())
        return often[name]

    beginning = (
        name
        for name in sorted(asks)
        if count(name) > MOST_ASKED and all(often[other] <= MOST_ASKED for other in asks[name])
    )
    message = f"an answer to `{{}}` would have others asked more than {MOST_ASKED:,} times, through all that these ask"
    advice = "give what is asked again and again a name with `with`, or let fewer of them ask twice"
    return [InvalidConstruct(signatures[name].span, message.format(name), advice) for name in beginning]
