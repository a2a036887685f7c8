"""Rows of a chart that are never looked up: the keys of all lookups lie outside of the ranges that the row matches.

Only keys that are numbers or places of a scale are examined, and only stacks with a sequence of play: rules without
one may serve others.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction

from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.idle_code import NeverAsked
from compiler.analysis.intervals import Intervals
from compiler.analysis.problems import Problem
from compiler.analysis.readers_and_setters import is_whole_game
from compiler.analysis.step_reads import expressions_read
from runtime.graph import nodes as graph
from runtime.graph.interval import ANY, Interval, interval_of
from runtime.graph.steps import nested_steps
from runtime.graph.walk import walk

Asked = tuple[graph.Cell, dict[str, Interval]]


def never_asked(stack: graph.Graph) -> Iterator[Problem]:
    """Find rows that no lookup reaches."""
    if not is_whole_game(stack):
        return
    intervals = Intervals(stack)
    intervals_by_table: dict[str, list[tuple[Interval, ...]]] = defaultdict(list)
    for cell, names in _lookups(stack, intervals):
        intervals_by_table[cell.table].append(tuple(_key_interval(key, names, intervals) for key in cell.keys))
    writer = ExpressionWriter(stack.vocabulary)
    for table in stack.tables.values():
        reported_keys: set[tuple[int, tuple[graph.Match, ...]]] = (
            set()
        )  # A row of a grid is one row for each of its columns.
        for row in table.rows if table.name in intervals_by_table else ():
            for index, (key, matches) in enumerate(zip(table.keys, row.keys, strict=True)):
                ranges = _ranges(matches or (), key.type, stack.vocabulary)
                if (
                    matches is None
                    or ranges is None
                    or any(_meets(key_intervals[index], ranges) for key_intervals in intervals_by_table[table.name])
                ):
                    continue
                if (index, matches) not in reported_keys:
                    yield NeverAsked(table.name, writer.row_party(table, row), key.name)
                reported_keys.add((index, matches))
                break


def _lookups(stack: graph.Graph, intervals: Intervals) -> Iterator[Asked]:
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


def _key_interval(key: graph.Expr, names: Mapping[str, Interval], intervals: Intervals) -> Interval:
    """Return the interval of a key; of places that of a `clamp` alone, as cards may add to the answers of terms."""
    match key:
        case graph.Op("clamp", (_, graph.Place(at=low), graph.Place(at=high))):
            return Interval(Fraction(low), Fraction(high))
        case _:
            return intervals.interval_of(key, names)


def _ranges(
    matches: tuple[graph.Match, ...], key: graph.Type, vocabulary: graph.Vocabulary
) -> list[tuple[int | Fraction, int | Fraction]] | None:
    """Return the matches of a row for a key as ranges of numbers; None if the key is neither a number nor a place."""
    places = dict(vocabulary.scales[key.name].places) if isinstance(key, graph.Scale) else {}
    ranges = []
    for match in matches:
        low, high = (places.get(end) if isinstance(end, str) else end for end in (match.low, match.high))
        if low is None or high is None or isinstance(low, bool):
            return None
        ranges.append((low, high))
    return ranges


def _meets(interval: Interval, ranges: list[tuple[int | Fraction, int | Fraction]]) -> bool:
    """Return whether a key's interval intersects one of the ranges."""
    return any(
        (interval.high is None or low <= interval.high) and (interval.low is None or high >= interval.low)
        for low, high in ranges
    )
