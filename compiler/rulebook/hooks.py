"""The hooks of one book under the keys of those of another book, so that the two can be compared.

In: the procedures of two graphs. Out: the procedures of the first, keyed as those of the second. A hook has no name
but its event, and its key counts all hooks of its stack, so another layer moves it. Hooks on one event that do the
same are the same; of what is left, those that one file wrote are, in their order.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping

from runtime.graph import nodes as graph


def keyed_as(
    procedures: Mapping[str, graph.Procedure], others: Mapping[str, graph.Procedure], bones: Callable[[object], object]
) -> dict[str, graph.Procedure]:
    """Key procedures as their counterparts among the others; a hook without one gets a key that no other has.

    `bones` leaves of a node what is compared.
    """
    keys: dict[str, str] = {}

    def pair(known_by: Callable[[graph.Procedure], Hashable]) -> None:
        waiting: dict[Hashable, list[str]] = defaultdict(list)
        for key, other in others.items():
            if other.what == "hook" and key not in keys.values():
                waiting[known_by(other)].append(key)
        for key, each in procedures.items():
            if each.what == "hook" and key not in keys and (there := waiting[known_by(each)]):
                keys[key] = there.pop(0)

    pair(lambda each: (each.event, bones(each)))
    pair(lambda each: (each.event, each.origin.layer, each.origin.file))
    alone = (key for key, each in procedures.items() if each.what == "hook" and key not in keys)
    keys |= {key: f"{key}-alone" for key in alone}
    return {keys.get(key, key): each for key, each in procedures.items()}
