"""The differences between the notes of two stacks: how long a status or track lasts, its first value, its range.

Of records both have it is said who knows of them.
"""

from collections.abc import Iterator
from typing import Any

from compiler.analysis.expression_text import Writer, type_name
from runtime.graph import nodes as graph
from runtime.graph.words import readable_name


def notes_data(a: graph.Graph, b: graph.Graph) -> list[dict[str, Any]]:
    """Return the statuses and tracks that differ, each with the properties in both stacks."""
    here, there = dict(_notes(a)), dict(_notes(b))
    found = []
    for key in sorted({*here, *there}):
        what, _, name = key.partition(" ")
        only = "a" if key not in there else "b" if key not in here else None
        if only and what == "record":
            continue
        mine, theirs = here.get(key, {}), there.get(key, {})
        said = [f"{theirs[part]} instead of {mine[part]}" for part in mine if not only and theirs[part] != mine[part]]
        if only or said:
            found.append({"what": what, "name": name, "only": only, "says": said})
    return found


def _notes(rules: graph.Graph) -> Iterator[tuple[str, dict[str, str]]]:
    writer = Writer(rules.vocabulary)
    for name, flag in rules.vocabulary.flags.items():
        if flag.what == "status":
            yield f"status {name}", {"until": _lasting(flag.until, "until it is taken off")}
    for name, track in rules.vocabulary.tracks.items():
        first = "nothing at first" if track.initial is None else f"{writer.text(track.initial)} at first"
        yield (
            f"track {name}",
            {"until": _lasting(track.until, "until it is set anew"), "type": _holding(track.type), "first": first},
        )

    for name, record in rules.vocabulary.records.items():
        yield f"record {name}", {"known": "known to its side alone" if record.secret else "known to both sides"}


def _holding(of: graph.Type) -> str:
    return f"a {of.shape} of {_holding(of.of)}" if isinstance(of, graph.Many) else type_name(of)


def _lasting(moment: str, forever: str) -> str:
    match moment:
        case "":
            return forever
        case "game":
            return "for good"
        case _:
            return f"until the end of {'its' if moment.startswith('own_') else 'the'} {readable_name(moment)}"
