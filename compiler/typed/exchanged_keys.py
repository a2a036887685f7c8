"""Exchanged types of two keys of a chart.

In: a chart as it is written, and the types of its keys. Out: the types as they are intended. The rows decide: nearly
each value under one of the two keys is of the other's type, and few are of their own. That is a single error, in the
head of the chart; it is reported there, and neither at the rows nor at lookups in the chart.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from compiler.source import nodes as source
from compiler.typed.environment import Environment, type_text
from compiler.typed.problems import KeysTurned
from runtime.graph import nodes as graph

# The share of values under a key that have to be of the type of the other one.
MOST_OF_THEM = Fraction(3, 4)
HALF = Fraction(1, 2)
# The number of rows with two keys in the same order from which that order is significant.
FEWEST_ROWS = 2


def corrected_key_types(
    env: Environment, table: source.Table, keys: tuple[graph.Parameter, ...]
) -> tuple[graph.Parameter, ...]:
    """Return the keys with the types of two exchanged and reported, where the rows indicate it."""
    for one, other in combinations(range(len(keys)), 2):
        if keys[one].type != keys[other].type and _are_exchanged(env, table, keys[one], keys[other]):
            meant = list(keys)
            meant[one] = graph.Parameter(keys[one].name, keys[other].type)
            meant[other] = graph.Parameter(keys[other].name, keys[one].type)
            env.problems.append(_exchanged_keys(table, keys, one, other, tuple(meant)))
            return tuple(meant)
    return keys


def against_rows(table: source.Table, keys: tuple[graph.Parameter, ...]) -> dict[tuple[int, int], KeysTurned]:
    """Return the pairs of keys that all rows write in another order than the head, with the problem of lookups in it.

    A row names its keys, so it is valid in any order.
    """
    found: dict[tuple[int, int], KeysTurned] = {}
    for one, other in combinations(range(len(keys)), 2):
        first, second = keys[one].name, keys[other].name
        written = [[word.text for word, _ in row.keys] for row in table.rows]
        both = [names for names in written if first in names and second in names]
        if len(both) >= FEWEST_ROWS and all(names.index(second) < names.index(first) for names in both):
            meant = list(keys)
            meant[one], meant[other] = keys[other], keys[one]
            found[one, other] = _exchanged_keys(table, keys, one, other, tuple(meant))
    return found


def _exchanged_keys(
    table: source.Table, keys: tuple[graph.Parameter, ...], one: int, other: int, meant: tuple[graph.Parameter, ...]
) -> KeysTurned:
    """Return the problem of two keys with exchanged types; those of a grid are exchanged with their names."""
    if _is_grid(table) and [keys[one].name, keys[other].name] != ["row", "column"]:
        meant = tuple(keys[{one: other, other: one}.get(at, at)] for at in range(len(keys)))
    places = table.keys[one].type.span, table.keys[other].type.span
    return KeysTurned(*places, table.name.text, (keys[one].name, keys[other].name), _head(meant))


def _is_grid(table: source.Table) -> bool:
    """Return whether the rows take their keys from the head of the chart."""
    head = {key.name.span for key in table.keys}
    return all(word.span in head for row in table.rows for word, _ in row.keys)


def _are_exchanged(env: Environment, table: source.Table, one: graph.Parameter, other: graph.Parameter) -> bool:
    """Return whether the values under each of two keys are of the type of the other."""
    under_one, under_other = _written(table, one.name), _written(table, other.name)
    if not under_one or not under_other:
        return False
    crossed = min(_share(env, under_one, other.type), _share(env, under_other, one.type))
    own = (_share(env, under_one, one.type), _share(env, under_other, other.type))
    return (crossed >= MOST_OF_THEM and sum(own) < 1) or (crossed == 1 and min(own) <= HALF)


def _written(table: source.Table, key: str) -> list[source.Match]:
    """Return the values under a key in all rows."""
    return [match for row in table.rows for word, matches in row.keys if word.text == key for match in matches]


def _share(env: Environment, written: Sequence[source.Match], of: graph.Type) -> Fraction:
    """Return the share of values that are of a type."""
    return Fraction(sum(_fits(env, each, of) for each in written), len(written))


def _fits(env: Environment, match: source.Match, of: graph.Type) -> bool:
    match of, match:
        case graph.Number(low, high), source.MatchRange():
            return (low is None or match.low >= low) and (high is None or match.high <= high)
        case _, source.MatchRange():
            return False
        case graph.Number(low, high), source.Word(text=text):
            number = text.strip("'").partition(" ")[0]
            if not number.removeprefix("-").isdecimal():
                return False
            return (low is None or int(number) >= low) and (high is None or int(number) <= high)
        case graph.Enum(name), source.Word(text=text):
            return env.has_member(name, text)
        case graph.Scale(name), source.Word(text=text):
            return text.strip("'") in dict(env.scales[name].places)
        case graph.YesNo(), source.Word(text=text):
            return text in {"yes", "no"}
        case _:
            return False


def _head(keys: Sequence[graph.Parameter]) -> str:
    """Format keys as in the head of a chart."""
    return f"keys: {{{', '.join(f'{key.name}: {_type(key.type)}' for key in keys)}}}"


def _type(of: graph.Type) -> str:
    return "yes_no" if isinstance(of, graph.YesNo) else type_text(of)
