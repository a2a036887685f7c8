"""Compute a layered drawing of a directed graph, with edges from left to right.

The input is sizes of nodes and edges between them; the output is the center of each node, and the points of each edge.
The method is Sugiyama's (1981): layers by longest path, edges over several layers split by bends, the order in each
layer by the places of neighbors, and heights as close to the neighbors as order and space permit.

It replaces Graphviz, which is a separate program and not a Python package; for the hundred nodes of a neighborhood this
is fast, and the result is the same on all machines.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from runtime.graph.closure import topological_order, transitive_closure

NodeSize = tuple[float, float]
Point = tuple[float, float]

GAP = 14.0  # between the boxes of a column
BEND_GAP = 7.0  # between edges that pass a column
LANE = 70.0  # between columns
ORDERING_ROUNDS = 24  # of ordering and of aligning; more change nothing one could see


@dataclass(frozen=True, slots=True)
class DrawnLayout:
    """A graph with coordinates: boxes of nodes, points of edges in the given order, and the total size.

    A box is its left, top, width and height; those of a column have equal widths.
    """

    boxes: dict[str, tuple[float, float, float, float]]
    routes: tuple[tuple[Point, ...], ...]
    size: NodeSize


@dataclass(slots=True)
class _Grid:
    """Columns of nodes and bends, with the links to the column before and behind."""

    columns: list[list[str]]
    predecessors: dict[str, list[str]] = field(default_factory=dict)
    successors: dict[str, list[str]] = field(default_factory=dict)

    def link(self, left: str, right: str) -> None:
        """Link two members of adjacent columns."""
        self.successors.setdefault(left, []).append(right)
        self.predecessors.setdefault(right, []).append(left)


def place_nodes(sizes: Mapping[str, NodeSize], edges: Sequence[tuple[str, str]]) -> DrawnLayout:
    """Compute the places of nodes; edges that would lead back are drawn, but do not affect the placement."""
    ranks = _ranks(sizes, edges)
    grid, paths = _with_bends(ranks, edges)
    _order(grid)
    heights = _align(grid, sizes)
    tops = {name: heights[name] - size[1] / 2 for name, size in sizes.items()}
    up = min((*tops.values(), *heights.values()), default=0.0)
    spans, width = _columns(grid, sizes)
    boxes = {name: (spans[name][0], tops[name] - up, spans[name][1], sizes[name][1]) for name in sizes}
    routes = tuple(tuple(_route(path, spans, {name: heights[name] - up for name in path})) for path in paths)
    bottom = max(
        (*(top + high for _, top, _, high in boxes.values()), *(y - up for y in heights.values())), default=0.0
    )
    return DrawnLayout(boxes, routes, (width, bottom))


# ---------------------------------------------------------------- columns


def _ranks(nodes: Iterable[str], edges: Sequence[tuple[str, str]]) -> dict[str, int]:
    """Number columns by longest path; a node without predecessors is placed directly before its successors."""
    predecessors: dict[str, list[str]] = {name: [] for name in nodes}
    successors: dict[str, list[str]] = {name: [] for name in predecessors}
    for start, end in _forward(predecessors, edges):
        predecessors[end].append(start)
        successors[start].append(end)
    ranks = dict.fromkeys(predecessors, 0)
    for name in topological_order(predecessors):
        ranks[name] = max((ranks[start] + 1 for start in predecessors[name]), default=0)
    for name, ends in successors.items():
        if ends and not predecessors[name]:
            ranks[name] = min(ranks[end] for end in ends) - 1
    return ranks


def _forward(nodes: Iterable[str], edges: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the edges without those that close a cycle."""
    successors: dict[str, list[str]] = {name: [] for name in nodes}
    forward = []
    for start, end in edges:
        if start != end and start not in transitive_closure((end,), successors.__getitem__):
            successors[start].append(end)
            forward.append((start, end))
    return forward


def _with_bends(ranks: Mapping[str, int], edges: Sequence[tuple[str, str]]) -> tuple[_Grid, list[list[str]]]:
    """Insert a bend into each column that an edge passes; return also the nodes and bends of each edge."""
    grid = _Grid([[] for _ in range(max(ranks.values(), default=-1) + 1)])
    for name, rank in ranks.items():
        grid.columns[rank].append(name)
    paths = []
    for number, (start, end) in enumerate(edges):
        left, right = sorted((start, end), key=lambda name: ranks[name])
        bends = [f"{number} {rank}" for rank in range(ranks[left] + 1, ranks[right])]
        for bend, rank in zip(bends, range(ranks[left] + 1, ranks[right]), strict=True):
            grid.columns[rank].append(bend)
        path = [left, *bends, right]
        for node, successor in pairwise(path):
            grid.link(node, successor)
        paths.append(path if left == start else path[::-1])
    return grid, paths


# ---------------------------------------------------------------- order and height


def _order(grid: _Grid) -> None:
    """Order each column by the places of neighbors in alternating sweeps.

    The order with the fewest crossings is used.
    """
    best, fewest = [list(column) for column in grid.columns], _crossings(grid)
    for number in range(ORDERING_ROUNDS):
        forth = number % 2 == 0
        links = grid.predecessors if forth else grid.successors
        columns = grid.columns if forth else grid.columns[::-1]
        for neighbor, column in pairwise(columns):
            neighbor_places = {name: index for index, name in enumerate(neighbor)}
            places = {name: index for index, name in enumerate(column)}
            column.sort(
                key=lambda name: (
                    _mean([neighbor_places[n] for n in links.get(name, ()) if n in neighbor_places], places[name]),
                    places[name],
                )
            )
        if (crossings := _crossings(grid)) < fewest:
            best, fewest = [list(column) for column in grid.columns], crossings
    grid.columns[:] = best


def _mean(values: Sequence[float], default: float) -> float:
    return sum(values) / len(values) if values else default


def _crossings(grid: _Grid) -> int:
    """Count the crossings of edges."""
    total = 0
    for left, right in pairwise(grid.columns):
        right_places = {name: index for index, name in enumerate(right)}
        ends = [
            sorted(right_places[end] for end in grid.successors.get(name, ()) if end in right_places) for name in left
        ]
        seen: list[int] = []
        for places in ends:
            total += sum(earlier > place for place in places for earlier in seen)
            seen += places
    return total


def _align(grid: _Grid, sizes: Mapping[str, NodeSize]) -> dict[str, float]:
    """Compute heights: each as close to its neighbors as the others of its column permit."""
    heights: dict[str, float] = {}
    for column in grid.columns:
        heights.update(zip(column, _offsets(column, sizes), strict=True))
    for number in range(ORDERING_ROUNDS):
        for column in grid.columns if number % 2 == 0 else grid.columns[::-1]:
            targets = [
                _mean(
                    [heights[n] for n in (*grid.predecessors.get(name, ()), *grid.successors.get(name, ()))],
                    heights[name],
                )
                for name in column
            ]
            offsets = _offsets(column, sizes)
            free = _rising([target - offset for target, offset in zip(targets, offsets, strict=True)])
            heights.update(zip(column, (a + b for a, b in zip(free, offsets, strict=True)), strict=True))
    return heights


def _offsets(column: Sequence[str], sizes: Mapping[str, NodeSize]) -> list[float]:
    """Stack a column as tightly as possible."""
    offsets, bottom = [], 0.0
    for before, name in zip([None, *column], column, strict=False):
        high = sizes[name][1] if name in sizes else 0.0
        gap = 0.0 if before is None else GAP if before in sizes and name in sizes else BEND_GAP
        offsets.append(bottom + gap + high / 2)
        bottom += gap + high
    return offsets


def _rising(targets: Sequence[float]) -> list[float]:
    """Return the closest ascending numbers: adjacent violators are pooled (isotonic regression)."""
    pools: list[tuple[float, int]] = []
    for value in targets:
        total, count = value, 1
        while pools and pools[-1][0] / pools[-1][1] > total / count:
            more, others = pools.pop()
            total, count = total + more, count + others
        pools.append((total, count))
    return [total / count for total, count in pools for _ in range(count)]


# ---------------------------------------------------------------- widths and routes


def _columns(grid: _Grid, sizes: Mapping[str, NodeSize]) -> tuple[dict[str, tuple[float, float]], float]:
    """Compute the horizontal places of columns: left side and width of all their members, and the total width."""
    spans: dict[str, tuple[float, float]] = {}
    left = 0.0
    for column in grid.columns:
        width = max((sizes[name][0] for name in column if name in sizes), default=0.0)
        spans |= dict.fromkeys(column, (left, width))
        left += width + LANE
    return spans, max(0.0, left - LANE)


def _route(
    path: Sequence[str], spans: Mapping[str, tuple[float, float]], heights: Mapping[str, float]
) -> Iterable[Point]:
    """Return the points of an edge: from side to side of its nodes, straight past the columns between."""
    forth = spans[path[0]][0] <= spans[path[-1]][0]
    for number, name in enumerate(path):
        left, width = spans[name]
        sides = (left, left + width) if forth else (left + width, left)
        if number:
            yield (sides[0], heights[name])
        if number < len(path) - 1:
            yield (sides[1], heights[name])
