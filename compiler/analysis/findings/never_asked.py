"""Rows of a chart that are never looked up: no lookup has a key that the row matches.

In: a whole game. Out: findings, but none of the layers below that of the sequence of play, which may serve other games.
Keys are bounded by intervals; a key without bounds, as a member of an enumeration, may match any row.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction

from compiler.analysis.checks import check_of_stack
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.intervals import Intervals
from compiler.analysis.parties import Party, party_label
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence
from runtime.graph import nodes as graph
from runtime.graph.interval import ANY, Interval
from runtime.graph.walk import nodes_of


@finding("R0546", "never-asked", WARNING)
class NeverAsked(Finding):
    """A row of a table is never looked up: all lookups have other values of `key`, `read`, "0..6 or at least 9"."""

    table: str
    row: Party
    key: str
    read: str

    def sentence(self) -> Sentence:
        message = f"this row of `{self.table}` is never used: the table is only read where `{self.key}` is {self.read}"
        advice = f"correct what reads the table, or delete the row and narrow `{self.key}`"
        return Sentence(message, (party_label(self.row),), advice, root=f"{self.table} {self.key}")


KeyIntervals = tuple[Interval, ...]


@check_of_stack
def never_asked(stack: graph.Graph) -> Iterator[NeverAsked]:
    """Find rows that no lookup reaches."""
    sequence = stack.procedures.get("sequence")
    if sequence is None:
        return
    layers = [layer.name for layer in stack.layers]
    game_layers = layers[layers.index(sequence.origin.layer) :]
    lookups = _lookups(stack)
    writer = ExpressionWriter(stack.vocabulary)
    for table in stack.tables.values():
        if table.name not in lookups:
            continue
        reported: set[tuple[int, tuple[graph.Match, ...]]] = set()
        for row in table.rows:
            unmet = _unmet_key(table, row, lookups[table.name], stack)
            # A row of a grid is one row for each of its columns.
            if unmet is None or unmet in reported or row.origin.layer not in game_layers:
                continue
            reported.add(unmet)
            key = table.keys[unmet[0]]
            read = {_interval_text(keys[unmet[0]], key.type, stack) for keys in lookups[table.name]}
            yield NeverAsked(table.name, writer.row_party(table, row), key.name, " or ".join(sorted(read)))


def _lookups(stack: graph.Graph) -> Mapping[str, list[KeyIntervals]]:
    """Return the intervals of the keys of all lookups, by table."""
    intervals = Intervals(stack)
    lookups: dict[str, list[KeyIntervals]] = defaultdict(list)
    for part in (*stack.rules.values(), *stack.terms.values(), *stack.always, *stack.procedures.values()):
        cells = list(nodes_of(graph.Cell, part))
        names = _named_intervals(part, intervals) if cells and isinstance(part, graph.Rule) else {}
        for cell in cells:
            lookups[cell.table].append(tuple(_key_interval(key, names, intervals) for key in cell.keys))
    return lookups


def _named_intervals(rule: graph.Rule, intervals: Intervals) -> Mapping[str, Interval]:
    """Return the intervals of the names that a rule defines; the variable of a fold may shadow one."""
    variables = {node.var for node in nodes_of(graph.Fold, rule)}
    names: dict[str, Interval] = {}
    for name, value in rule.names:
        names[name] = ANY if name in variables else intervals.interval_of(value, names)
    return names


def _key_interval(key: graph.Expr, names: Mapping[str, Interval], intervals: Intervals) -> Interval:
    """Return an interval of a key; of a place on a scale only that of a `clamp`, as cards may add to answers."""
    match key:
        case graph.Op("clamp", (_, graph.Place(at=low), graph.Place(at=high))):
            return Interval(Fraction(low), Fraction(high))
        case _:
            return intervals.interval_of(key, names)


def _interval_text(interval: Interval, key: graph.Type, stack: graph.Graph) -> str:
    """Write the values of a key as a row would: "0..6", "at most 6"; places by their names."""
    places = dict(stack.vocabulary.scales[key.name].places) if isinstance(key, graph.Scale) else {}
    names = {number: name for name, number in places.items()}
    low, high = (None if end is None else names.get(int(end), str(end)) for end in (interval.low, interval.high))
    if low is None:
        return "anything" if high is None else f"at most {high}"
    if high is None:
        return f"at least {low}"
    return low if low == high else f"{low}..{high}"


def _unmet_key(
    table: graph.Table, row: graph.TableRow, lookups: list[KeyIntervals], stack: graph.Graph
) -> tuple[int, tuple[graph.Match, ...]] | None:
    """Return the index of the first key for which no lookup has a value of the row, and what the row matches there."""
    for index, (key, matches) in enumerate(zip(table.keys, row.keys, strict=True)):
        if matches is not None and not any(_meets(keys[index], matches, key.type, stack) for keys in lookups):
            return index, matches
    return None


def _meets(values: Interval, matches: tuple[graph.Match, ...], key: graph.Type, stack: graph.Graph) -> bool:
    """Return whether a key may have a value that a row matches."""
    places = dict(stack.vocabulary.scales[key.name].places) if isinstance(key, graph.Scale) else {}
    for match in matches:
        low, high = (places.get(end) if isinstance(end, str) else end for end in (match.low, match.high))
        if low is None or high is None or isinstance(low, bool):
            return True
        if (values.high is None or low <= values.high) and (values.low is None or high >= values.low):
            return True
    return False
