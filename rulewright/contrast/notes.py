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
    old_notes, new_notes = dict(_notes(a)), dict(_notes(b))
    found = []
    for key in sorted({*old_notes, *new_notes}):
        kind, _, name = key.partition(" ")
        only_side = "a" if key not in new_notes else "b" if key not in old_notes else None
        if only_side and kind == "record":
            continue
        old_note, new_note = old_notes.get(key, {}), new_notes.get(key, {})
        changes = [
            f"{new_note[part]} instead of {old_note[part]}"
            for part in old_note
            if not only_side and new_note[part] != old_note[part]
        ]
        if only_side or changes:
            found.append({"what": kind, "name": name, "only": only_side, "says": changes})
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


def _holding(type_: graph.Type) -> str:
    return f"a {type_.shape} of {_holding(type_.of)}" if isinstance(type_, graph.Many) else type_name(type_)


def _lasting(moment: str, forever: str) -> str:
    match moment:
        case "":
            return forever
        case "game":
            return "for good"
        case _:
            return f"until the end of {'its' if moment.startswith('own_') else 'the'} {readable_name(moment)}"
