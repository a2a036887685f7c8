"""Rows of a chart that are never looked up: no lookup has a key that the row matches.

In: a whole game. Out: findings, but none of the layers below that of the sequence of play, which may serve other games.
Numbers and places of a scale are bounded by intervals; members of an enumeration are known where rules write them.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction

from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.idle_code import NeverAsked
from compiler.analysis.intervals import Intervals
from compiler.analysis.problems import Problem
from compiler.analysis.step_reads import expressions_read
from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rules_of_term
from runtime.graph.interval import ANY, Interval, interval_of
from runtime.graph.steps import nested_steps
from runtime.graph.walk import walk

AskedCell = tuple[graph.Cell, dict[str, Interval]]
# The values that a key may have: numbers and places, or members of an enumeration.
Values = Interval | frozenset[str]


def never_asked(stack: graph.Graph) -> Iterator[Problem]:
    """Find rows that no lookup reaches."""
    sequence = stack.procedures.get("sequence")
    if sequence is None:
        return
    names_of_layers = [layer.name for layer in stack.layers]
    shared = names_of_layers[: names_of_layers.index(sequence.origin.layer)]
    intervals = Intervals(stack)
    keys_by_table: dict[str, list[tuple[Values, ...]]] = defaultdict(list)
    for cell, names in _lookups(stack, intervals):
        keys_by_table[cell.table].append(tuple(_values(key, names, intervals) for key in cell.keys))
    writer = ExpressionWriter(stack.vocabulary)
    for table in stack.tables.values():
        reported_keys: set[tuple[int, tuple[graph.Match, ...]]] = (
            set()
        )  # A row of a grid is one row for each of its columns.
        lookups = keys_by_table.get(table.name, [])
        for row in table.rows if lookups else ():
            for index, (key, matches) in enumerate(zip(table.keys, row.keys, strict=True)):
                if matches is None or any(_meets(keys[index], matches, key.type, stack) for keys in lookups):
                    continue
                if (index, matches) not in reported_keys and row.origin.layer not in shared:
                    yield NeverAsked(table.name, writer.row_party(table, row), key.name)
                reported_keys.add((index, matches))
                break


def _lookups(stack: graph.Graph, intervals: Intervals) -> Iterator[AskedCell]:
    """Yield the lookups in charts, with the intervals of the names in scope."""
    for rule in stack.rules.values():
        if not any(isinstance(node, graph.Cell) for node in walk((rule.guard, rule.value, rule.names))):
            continue
        # The variable of a fold may shadow a parameter.
        inner = {fold.var for fold in walk((rule.guard, rule.value, rule.names)) if isinstance(fold, graph.Fold)}
        parameters = (part for term in rule.terms for part in stack.terms[term].parameters)
        names = {part.name: interval_of(part.type) for part in parameters if part.name not in inner}
        for name, value in rule.names:
            yield from ((cell, names) for cell in walk(value) if isinstance(cell, graph.Cell))
            names = {**names, name: ANY if name in inner else intervals.interval_of(value, names)}
        yield from ((cell, names) for cell in walk((rule.guard, rule.value)) if isinstance(cell, graph.Cell))
    exprs: list[graph.Expr] = [term.otherwise for term in stack.terms.values() if term.otherwise is not None]
    exprs += [fact.condition for fact in stack.always]
    exprs += [
        expr
        for each in stack.procedures.values()
        for step in nested_steps(each.body)
        for expr in expressions_read(step)
    ]
    for expr in exprs:
        yield from ((cell, {}) for cell in walk(expr) if isinstance(cell, graph.Cell))


def _values(key: graph.Expr, names: Mapping[str, Interval], intervals: Intervals) -> Values:
    """Return the values that a key may have.

    Of places on a scale they are known of a `clamp` alone, as cards may add to the answers of terms.
    """
    match key:
        case graph.Op("clamp", (_, graph.Place(at=low), graph.Place(at=high))):
            return Interval(Fraction(low), Fraction(high))
        case _:
            members = _members(key, intervals.stack, frozenset())
            return intervals.interval_of(key, names) if members is None else members


def _members(expr: graph.Expr, stack: graph.Graph, outer: frozenset[str]) -> frozenset[str] | None:
    """Return the members of an enumeration that an expression may be; None if any. `outer`: the terms around it."""
    match expr:
        case graph.Member(name=name):
            return frozenset((name,))
        case graph.Op("if", (_, *branches)):
            parts: list[graph.Expr | None] = [*branches]
        case graph.Ask(name) if name not in outer and name in stack.terms and stack.terms[name].form == "value":
            term, outer = stack.terms[name], outer | {name}
            rules = rules_of_term(stack, term)
            parts = [term.otherwise, *(rule.value for rule in rules if rule.verb)]
        case _:
            return None
    found = [_members(part, stack, outer) for part in parts if part is not None]
    return None if None in found else frozenset().union(*filter(None, found))


def _meets(values: Values, matches: tuple[graph.Match, ...], key: graph.Type, stack: graph.Graph) -> bool:
    """Return whether a key may have a value that a row matches."""
    places = dict(stack.vocabulary.scales[key.name].places) if isinstance(key, graph.Scale) else {}
    for match in matches:
        if isinstance(values, frozenset):
            if match.low in values:
                return True
            continue
        low, high = (places.get(end) if isinstance(end, str) else end for end in (match.low, match.high))
        if low is None or high is None or isinstance(low, bool):
            return True
        if (values.high is None or low <= values.high) and (values.low is None or high >= values.low):
            return True
    return False
