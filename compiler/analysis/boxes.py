"""A partition of the domain of a table's keys into boxes, without an enumeration of every combination.

In: a table. Out: boxes, each with the rows that match it. Keys are split only where a row begins or ends, and values
that the same rows accept stay together: six keys of sixty values have ten million combinations but a few hundred boxes,
and a box that violates a property is itself the witness to print.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from math import ceil, floor

from compiler.analysis import charts
from compiler.analysis.formula import PlainValue
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.members import members_of


@frozen_dataclass
class _Slice:
    """A run of key values that no row distinguishes: a sample, the number of values, and its text."""

    sample: PlainValue
    count: int
    text: str


@frozen_dataclass
class Box:
    """A set of slices for each key, and the rows that match there, in the order of the table."""

    slices: tuple[tuple[_Slice, ...], ...]
    rows: tuple[graph.TableRow, ...]

    def count_keys(self) -> int:
        """Count the combinations of keys in the box."""
        total = 1
        for choices in self.slices:
            total *= sum(each.count for each in choices)
        return total


def split_into_boxes(table: graph.Table, vocabulary: graph.Vocabulary) -> Iterator[Box]:
    """Split the declared domains of a table's keys into boxes, each matched by the same rows throughout."""
    domains = [slice_domain(table, index, vocabulary) for index in range(len(table.keys))]
    yield from _split(domains, 0, (), table.rows)


def slice_domain(table: graph.Table, key_index: int, vocabulary: graph.Vocabulary) -> tuple[_Slice, ...]:
    """Split the domain of one key where rows begin and end; empty for a type whose values are not listed."""
    match table.keys[key_index].type:
        case graph.YesNo():
            return (_Slice(sample=False, count=1, text="no"), _Slice(sample=True, count=1, text="yes"))
        case graph.Enum(name):
            return tuple(_Slice(word, 1, word) for word in members_of(vocabulary, name))
        case graph.Scale(name):
            return tuple(_Slice(index, 1, text) for text, index in vocabulary.scales[name].places)
        case graph.Number(low, high):
            return tuple(_runs(table, key_index, low, high))
        case _:
            return ()


def _runs(table: graph.Table, key_index: int, low: int | None, high: int | None) -> Iterator[_Slice]:
    """Split whole numbers into runs, and insert the fractions that rows mention between them.

    A domain without an end extends as far as the rows do.
    """
    borders = charts.boundary_numbers(table, key_index)
    matches = [match for row in table.rows for match in row.keys[key_index] or ()]
    starts = {ceil(match.low) for match in matches if not isinstance(match.low, str)}
    after = {floor(match.high) + 1 for match in matches if not isinstance(match.high, str)}
    first = low if low is not None else floor(min(borders, default=0))
    last = high if high is not None else ceil(max(borders, default=0))
    edges = sorted({first, *(edge for edge in starts | after if first < edge <= last)})
    fractions = sorted(border for border in borders if border.denominator > 1 and first < border < last)
    for start, end in zip(edges, [*(edge - 1 for edge in edges[1:]), last], strict=True):
        yield _Slice(start, end - start + 1, str(start) if start == end else f"{start}..{end}")
        # The next whole number behind a fraction in a row is an edge, so a run ends just before each fraction.
        yield from (_Slice(each, 1, str(each)) for each in fractions if end < each < end + 1)


def _split(
    domains: Sequence[tuple[_Slice, ...]],
    key_index: int,
    chosen: tuple[tuple[_Slice, ...], ...],
    rows: Sequence[graph.TableRow],
) -> Iterator[Box]:
    """Split key after key, recursively; slices that the same rows accept stay in one box."""
    if key_index == len(domains):
        yield Box(chosen, tuple(rows))
        return
    groups: dict[tuple[int, ...], list[_Slice]] = {}
    anywhere, taking = _accepting(domains[key_index], key_index, rows)
    for each, accepting in zip(domains[key_index], taking, strict=True):
        groups.setdefault(tuple(accepting), []).append(each)
    for some, group in groups.items():
        left = [rows[number] for number in sorted((*anywhere, *some))]
        yield from _split(domains, key_index + 1, (*chosen, tuple(group)), left)


def _accepting(
    domain: Sequence[_Slice], key_index: int, rows: Sequence[graph.TableRow]
) -> tuple[list[int], list[list[int]]]:
    """Return the numbers of the rows that accept any value of a key, and for each slice those that mention it."""
    slice_indices = {each.sample: number for number, each in enumerate(domain)}
    samples = [each.sample for each in domain]
    ordered = not any(isinstance(each, str) for each in samples) and samples == sorted(samples)
    anywhere: list[int] = []
    taking: list[list[int]] = [[] for _ in domain]
    for number, row in enumerate(rows):
        matches = row.keys[key_index]
        if matches is None:
            anywhere.append(number)
            continue
        for index in sorted(
            {index for match in matches for index in _slices_in_match(samples, match, slice_indices, ordered=ordered)}
        ):
            taking[index].append(number)
    return anywhere, taking


def _slices_in_match(
    samples: Sequence[PlainValue], match: graph.Match, slice_indices: Mapping[PlainValue, int], *, ordered: bool
) -> Sequence[int]:
    """Return the indices of the slices that lie in a match; in an ordered domain they are found by bisection."""
    if isinstance(match.low, str):
        return [slice_indices[match.low]] if match.low in slice_indices else []
    if ordered and not isinstance(match.high, str):
        return range(bisect_left(samples, match.low), bisect_right(samples, match.high))
    return [index for index, sample in enumerate(samples) if charts.matches_key(sample, match)]


def row_accepts_value(row: graph.TableRow, key_index: int, value: PlainValue) -> bool:
    """Return whether a row accepts this value of a key."""
    matches = row.keys[key_index]
    return matches is None or any(charts.matches_key(value, match) for match in matches)


def box_texts(table: graph.Table, box: Box, vocabulary: graph.Vocabulary) -> tuple[str, ...]:
    """Format a box as texts `key = a|b`, without the keys that are unrestricted."""
    found = []
    for index, choices in enumerate(box.slices):
        if sum(each.count for each in choices) < sum(each.count for each in slice_domain(table, index, vocabulary)):
            found.append(f"{table.keys[index].name} = {'|'.join(each.text for each in choices)}")
    return tuple(found)
