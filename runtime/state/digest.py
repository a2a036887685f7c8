"""The digest of a state, equal for equal positions in every process.

In: a State. Out: SHA-256 of its canonical content, in hexadecimal. Left out is what is no part of a position: serial
numbers of records, which are numbered in order of occurrence, and structures shared by copies.
"""

import hashlib
from fractions import Fraction

from runtime.state.position import State
from runtime.state.record import Record, Value


def state_digest(state: State, progress: Value = ()) -> str:
    """Return the hash of a state and of the program counters of its procedures, as hexadecimal digits."""
    return hashlib.sha256(canonical_text(state, progress).encode()).hexdigest()


def canonical_text(state: State, progress: Value = ()) -> str:
    """Return the canonical text of a state."""
    seen: dict[Record, int] = {}

    def text(value: Value) -> str:
        if isinstance(value, Record):
            return record(value)
        if isinstance(value, tuple):
            return f"[{','.join(map(text, value))}]"
        return str(value) if isinstance(value, int | Fraction | str) else repr(value)

    def record(value: Record) -> str:
        if value in seen:
            return f"#{seen[value]}"
        seen[value] = len(seen)
        fields = {**value.fields, **state.amended.get(value, {})}
        field_texts = (f"{name}:{text(fields[name])}" for name in sorted(fields) if fields[name] is not None)
        return f"{value.type}({','.join(field_texts)})"

    def lines() -> list[str]:
        text_lines = [f"clock {state.turn} {state.player} {state.phase}"]
        for piece, sheet in enumerate(state.sheets):
            face = f" {sheet.counter}" if sheet.original_counter else ""
            text_lines.append(
                f"piece {sheet.name} {sheet.kind} {sheet.side} {state.hex[piece]} {state.place[piece]}{face}"
            )
        for type_ in sorted(state.records):
            text_lines += [f"record {record(r)}" for r in state.records[type_]]
        for key in sorted(state.marks):
            text_lines += [f"mark {key} {text(subject)}" for subject in sorted(state.marks[key])]
        for key in sorted(state.tracks):
            text_lines += [
                f"track {key} {text(s)} {text(v)}" for s, v in sorted(state.tracks[key].items(), key=_sort_key)
            ]
        text_lines += [f"fact {key} {text(state.facts[key])}" for key in sorted(state.facts)]
        for relation in sorted(state.pairs):
            pairs = sorted(state.pairs[relation].payload.items(), key=_sort_key)
            text_lines += [f"pair {relation} {text(pair)} {text(payload)}" for pair, payload in pairs]
        # The word `course` is part of every digest stored so far.
        return [*text_lines, f"course {text(progress)}"] if progress else text_lines

    return "\n".join(lines())


def _sort_key(item: tuple[Value, Value]) -> Value:
    """Return the key of a dictionary item, for sorting."""
    return item[0]
