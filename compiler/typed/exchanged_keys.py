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
    for index, other_index in combinations(range(len(keys)), 2):
        if keys[index].type != keys[other_index].type and _are_exchanged(env, table, keys[index], keys[other_index]):
            corrected_keys = list(keys)
            corrected_keys[index] = graph.Parameter(keys[index].name, keys[other_index].type)
            corrected_keys[other_index] = graph.Parameter(keys[other_index].name, keys[index].type)
            env.problems.append(_exchanged_keys(table, keys, index, other_index, tuple(corrected_keys)))
            return tuple(corrected_keys)
    return keys


def against_rows(table: source.Table, keys: tuple[graph.Parameter, ...]) -> dict[tuple[int, int], KeysTurned]:
    """Return the pairs of keys that all rows write in another order than the head, with the problem of lookups in it.

    A row names its keys, so it is valid in any order.
    """
    found: dict[tuple[int, int], KeysTurned] = {}
    for index, other_index in combinations(range(len(keys)), 2):
        first, second = keys[index].name, keys[other_index].name
        written = [[word.text for word, _ in row.keys] for row in table.rows]
        key_orders = [names for names in written if first in names and second in names]
        if len(key_orders) >= FEWEST_ROWS and all(names.index(second) < names.index(first) for names in key_orders):
            corrected_keys = list(keys)
            corrected_keys[index], corrected_keys[other_index] = keys[other_index], keys[index]
            found[index, other_index] = _exchanged_keys(table, keys, index, other_index, tuple(corrected_keys))
    return found


def _exchanged_keys(
    table: source.Table,
    keys: tuple[graph.Parameter, ...],
    index: int,
    other_index: int,
    corrected_keys: tuple[graph.Parameter, ...],
) -> KeysTurned:
    """Return the problem of two keys with exchanged types; those of a grid are exchanged with their names."""
    if _is_grid(table) and [keys[index].name, keys[other_index].name] != ["row", "column"]:
        corrected_keys = tuple(
            keys[{index: other_index, other_index: index}.get(key_index, key_index)] for key_index in range(len(keys))
        )
    places = table.keys[index].type.span, table.keys[other_index].type.span
    return KeysTurned(*places, table.name.text, (keys[index].name, keys[other_index].name), _head(corrected_keys))


def _is_grid(table: source.Table) -> bool:
    """Return whether the rows take their keys from the head of the chart."""
    head = {key.name.span for key in table.keys}
    return all(word.span in head for row in table.rows for word, _ in row.keys)


def _are_exchanged(env: Environment, table: source.Table, key: graph.Parameter, other_key: graph.Parameter) -> bool:
    """Return whether the values under each of two keys are of the type of the other."""
    under_one, under_other = _written(table, key.name), _written(table, other_key.name)
    if not under_one or not under_other:
        return False
    crossed = min(_share(env, under_one, other_key.type), _share(env, under_other, key.type))
    own_shares = (_share(env, under_one, key.type), _share(env, under_other, other_key.type))
    return (crossed >= MOST_OF_THEM and sum(own_shares) < 1) or (crossed == 1 and min(own_shares) <= HALF)


def _written(table: source.Table, key: str) -> list[source.Match]:
    """Return the values under a key in all rows."""
    return [match for row in table.rows for word, matches in row.keys if word.text == key for match in matches]


def _share(env: Environment, written: Sequence[source.Match], type_: graph.Type) -> Fraction:
    """Return the share of values that are of a type."""
    return Fraction(sum(_is_of_type(env, each, type_) for each in written), len(written))


def _is_of_type(env: Environment, match: source.Match, type_: graph.Type) -> bool:
    match type_, match:
        case graph.Number(), source.MatchRange(_, low, high):
            return type_.contains(low) and type_.contains(high)
        case _, source.MatchRange():
            return False
        case graph.Number(), source.Word(text=text):
            number = text.strip("'").partition(" ")[0]
            return number.removeprefix("-").isdecimal() and type_.contains(int(number))
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


def _type(type_: graph.Type) -> str:
    return "yes_no" if isinstance(type_, graph.YesNo) else type_text(type_)
