"""Names in a graph that lead nowhere.

In: a graph of the right shape. Out: a sentence for every name that is not declared, and for every
question or operator with the wrong number of arguments. The compiler makes no such graph; this guards the
runtime, and above all the code it generates, against files that somebody else made.
"""

from collections.abc import Collection, Iterator

from runtime.graph import nodes as graph
from runtime.graph.operators import OPERATORS
from runtime.graph.walk import walk


def dangling(rules: graph.Graph) -> list[str]:
    """List what leads nowhere."""
    return [*loose_rules(rules), *(problem for node in walk(rules) for problem in loose(node, rules))]


def loose_rules(rules: graph.Graph) -> Iterator[str]:
    """Check that terms and rules know each other, and that defeaters come first."""
    for name, term in rules.terms.items():
        yield from unknown(f"`{name}`: rule", term.rules, rules.rules)
        order = {label: place for place, label in enumerate(term.rules)}
        for label in term.rules:
            late = (
                [t for t in rules.rules[label].defeats if order.get(t, len(order)) < order[label]]
                if (label in rules.rules)
                else []
            )
            if late:
                yield f"`{name}`: rule `{label}` comes after `{late[0]}`, which it defeats"
    for label, rule in rules.rules.items():
        yield from unknown(f"`{label}`: term", rule.terms, rules.terms)


def loose(node: object, rules: graph.Graph) -> Iterator[str]:  # noqa: C901 - one case a node
    """Check what one node names."""
    words = rules.vocabulary
    match node:
        case graph.Ask(term, arguments):
            yield from unknown("term", (term,), rules.terms)
            if term in rules.terms and len(arguments) != len(rules.terms[term].parameters):
                yield f"`{term}` is asked with {len(arguments)} arguments"
        case graph.Cell(table, keys, _):
            yield from unknown("table", (table,), rules.tables)
            if table in rules.tables and len(keys) != len(rules.tables[table].keys):
                yield f"`{table}` is read with {len(keys)} keys"
        case graph.Op(op, arguments):
            yield from unknown("operator", (op,), OPERATORS)
            if op in OPERATORS and not OPERATORS[op].takes(len(arguments)):
                yield f"`{op}` is given {len(arguments)} arguments"
        case graph.Test("trait" | "feature" | "status", owner, name):
            yield from unknown("flag", (f"{owner}.{name}",), words.flags)
        case graph.Get(_, "track", owner, name):
            yield from unknown("track", (f"{owner}.{name}",), words.tracks)
        case graph.Get(_, "partner" | "partners", owner, _):
            yield from unknown("relation", (owner,), words.relations)
        case graph.New(record, _):
            yield from unknown("record", (record,), words.records)
        case graph.Do(resolution, _):
            yield from unknown("resolution", (f"resolution:{resolution}",), rules.procedures)
        case graph.Offer(actions, _, _):
            yield from unknown("action", [f"action:{action}" for action, _ in actions], rules.procedures)
        case graph.Tell(event, _):
            yield from unknown("event", (event,), words.events)
        case _:
            return


def unknown(what: str, names: Collection[str], known: Collection[str]) -> Iterator[str]:
    """Report names that are not known."""
    yield from (f"{what} `{name}` does not exist" for name in names if name not in known)
