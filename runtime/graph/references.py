"""Validation of references in a graph.

In: a graph of the right shape. Out: a message for every undeclared name, and for every question or operator with the
wrong number of arguments. The compiler emits no such graph; this protects the runtime, and its generated code, against
files of other origin.
"""

from collections.abc import Collection, Iterator
from typing import Any

from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import is_adopted
from runtime.graph.expressions import Symbol
from runtime.graph.free_names import bound_names, free_names
from runtime.graph.operators import OPERATORS
from runtime.graph.predeclared_types import PREDECLARED_TYPES
from runtime.graph.step_symbols import symbols_of_node
from runtime.graph.walk import nodes_of, walk


def dangling_references(rules: graph.Graph) -> list[str]:
    """Return the messages for dangling references."""
    return [
        *inconsistent_rules(rules),
        *unbound_names(rules),
        *misplaced_steps(rules),
        *(problem for node in walk(rules) for problem in dangling_names(node, rules)),
    ]


def is_name(text: str) -> bool:
    """Return whether a text is an identifier: both back ends derive names of functions and locals from it."""
    return text.isascii() and text.isidentifier()


def unbound_names(rules: graph.Graph) -> Iterator[str]:
    """Yield a message for each name that is neither a parameter nor bound where a term or rule uses it."""
    for name, term in rules.terms.items():
        parameters = frozenset(parameter.name for parameter in term.parameters)
        identifiers = (name.replace(".", "_"), *parameters)
        yield from (f"`{identifier}` is no name" for identifier in identifiers if not is_name(identifier))
        if term.form == "flag" and (name not in rules.vocabulary.flags or len(parameters) != 1):
            yield f"`{name}` is no flag"
        yield from (f"`{name}` speaks of `{free}`" for free in unbound_in_expression(term.otherwise, parameters))
        for beside in term.beside:
            yield from (f"`{name}` speaks of `{free}`" for free in unbound_in_expression(beside.arguments, parameters))
        for rule in (rules.rules[label] for label in term.rules if label in rules.rules):
            if not is_adopted(rule, term):
                yield from _unbound_in_rule(rule, parameters)


def _unbound_in_rule(rule: graph.Rule, parameters: frozenset[str]) -> Iterator[str]:
    """Check that a rule uses only these parameters and its own `with` names, each behind its binding."""
    yield from (f"`{identifier}` is no name" for identifier, _ in rule.names if not is_name(identifier))
    known = parameters
    for with_name, value in rule.names:
        yield from (f"`{rule.label}` speaks of `{free}`" for free in unbound_in_expression(value, known))
        known |= {with_name}
    for part in (rule.guard, rule.value):
        yield from (f"`{rule.label}` speaks of `{free}`" for free in unbound_in_expression(part, known))


def misplaced_steps(rules: graph.Graph) -> Iterator[str]:
    """Yield a message for each mention of the hexes of a step outside the gate and price of a search."""
    searches = list(nodes_of(graph.Search, rules))
    expected_count = 2 * sum(ask is not None for each in searches for ask in (each.gate, each.price))
    if sum(node.what == "step" for node in nodes_of(graph.Spot, rules)) != expected_count:
        yield "a hex of a step is spoken of where no step is taken"


def unbound_in_expression(part: Any, known: frozenset[str]) -> Iterator[str]:
    """Yield the unbound names of an expression, and the bound ones that are no names."""
    yield from (name for name in sorted(bound_names(part)) if name and not is_name(name))
    yield from sorted(free_names(part) - known)


def inconsistent_rules(rules: graph.Graph) -> Iterator[str]:
    """Yield a message for each term and rule that do not refer to each other, or defeater behind what it defeats."""
    for name, term in rules.terms.items():
        yield from unknown_names(f"`{name}`: rule", term.rules, rules.rules)
        order = {label: index for index, label in enumerate(term.rules)}
        for label in term.rules:
            defeated = rules.rules[label].defeats if label in rules.rules else ()
            earlier = [target for target in defeated if order.get(target, len(order)) < order[label]]
            if earlier:
                yield f"`{name}`: rule `{label}` comes after `{earlier[0]}`, which it defeats"
    for label, rule in rules.rules.items():
        yield from unknown_names(f"`{label}`: term", rule.terms, rules.terms)


def dangling_names(node: object, rules: graph.Graph) -> Iterator[str]:
    """Yield a message for each reference of one node to what the graph lacks, or with a wrong number of arguments."""
    match node:
        case graph.Op(op, arguments):
            yield from unknown_names("operator", (op,), OPERATORS)
            if op not in OPERATORS:
                return
            if not OPERATORS[op].accepts_count(len(arguments)):
                yield f"`{op}` is given {len(arguments)} arguments"
        case graph.Ask(term, arguments) if term in rules.terms and len(arguments) != len(rules.terms[term].parameters):
            yield f"`{term}` is asked with {len(arguments)} arguments"
        case graph.Cell(table, keys) if table in rules.tables and len(keys) != len(rules.tables[table].keys):
            yield f"`{table}` is read with {len(keys)} keys"
        case graph.Is(_, ()):
            yield "an `is` asks for nothing"
        case graph.Search():
            yield from _incomplete_search(node)
        case graph.Do(resolution):
            yield from unknown_names("resolution", (f"resolution:{resolution}",), rules.procedures)
        case graph.Offer(actions):
            yield from unknown_names("action", [f"action:{action}" for action, _ in actions], rules.procedures)
        case graph.Tell(event, _):
            yield from unknown_names("event", (event,), rules.vocabulary.events)
        case _:
            pass
    for symbol in symbols_of_node(node):
        yield from _unknown_symbol(symbol, rules)


def _incomplete_search(search: graph.Search) -> Iterator[str]:
    op = search.op
    if (search.goal is None) != (op == "reachable") or (search.otherwise is None) != (op != "cheapest_cost"):
        yield f"a search for `{op}` lacks a part, or has one too many"
    steps = (ask for ask in (search.gate, search.price) if ask is not None)
    if any(set(ask.arguments[-2:]) != {graph.FROM, graph.TO} for ask in steps):
        yield f"a search for `{op}` asks a question that is not about its steps"


def _unknown_symbol(symbol: Symbol, rules: graph.Graph) -> Iterator[str]:
    """Yield a message for a symbol that the graph does not declare."""
    vocabulary = rules.vocabulary
    match symbol:
        case ("trait" | "feature" | "status", owner, name):
            yield from unknown_names("flag", (f"{owner}.{name}",), vocabulary.flags)
        case ("given", _, name):
            yield from unknown_names("field", (name,), PREDECLARED_TYPES)
        case ("track", owner, name) if owner not in ("game", "scenario"):
            yield from unknown_names("track", (f"{owner}.{name}",), vocabulary.tracks)
        case ("place", "", name):
            yield from unknown_names("place", (name,), [flag.name for flag in vocabulary.flags.values()])
        case ("member", "counter", name):
            yield from unknown_names("counter", (name,), rules.counters)
        case ("end", name, _):
            yield from unknown_names("relation", (name,), vocabulary.relations)
        case (namespace, "", name):
            kind, known = _tables_of_names(rules).get(namespace, ("", (name,)))
            yield from unknown_names(kind, (name,), known)
        case _:
            pass


def _tables_of_names(rules: graph.Graph) -> dict[str, tuple[str, Collection[str]]]:
    """Return the names without an owner that a graph declares, by namespace, and what one of them is."""
    vocabulary = rules.vocabulary
    return {
        "term": ("term", rules.terms),
        "chart": ("table", rules.tables),
        "kind": ("kind", vocabulary.kinds),
        "relation": ("relation", vocabulary.relations),
        "record": ("record", vocabulary.records),
    }


def unknown_names(kind: str, names: Collection[str], known: Collection[str]) -> Iterator[str]:
    """Yield messages for unknown names."""
    yield from (f"{kind} `{name}` does not exist" for name in names if name not in known)
