"""The steps of a counter: how many times a piece that shows it can be reduced, the last time by its removal.

In: the counters of a graph, and the name of one. Out: a number.
"""

from collections.abc import Mapping

from runtime.graph import nodes as graph


def step_count(counters: Mapping[str, graph.Counter], name: str) -> int:
    """Count the faces that a counter can lose one after the other; one that can be flipped back has one."""
    seen = [name]
    while (back := counters[seen[-1]].back if seen[-1] in counters else "") and back not in seen:
        seen.append(back)
    return seen.index(back) + 1 if back else len(seen)
