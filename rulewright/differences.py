"""Where two stacks answer differently, with positions one can open."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import compiler
from rulewright import cache
from rulewright.witnesses import witness_folder, write_witness
from runtime.graph import nodes as graph
from runtime.witness.differ import Difference, Group, TermDifference, diff


def difference_of(a: graph.Graph, b: graph.Graph, term: str = "") -> Difference:
    """Compare two stacks; kept until one of them changes."""
    house = Path(compiler.__file__).parent.parent / "runtime"
    key = cache.key(b"difference", cache.compiler_stamp([house]), a.hash.encode(), b.hash.encode(), term.encode())
    return cache.remember(key, lambda: diff(a, b, term))


def as_data(found: Difference, names: tuple[str, str], wanted: Path | None = None) -> dict[str, Any]:
    """Shape a difference for `diff --format json`, its positions saved as files."""
    place = witness_folder("..".join(names), wanted)
    numbers = count(1)
    terms = [_term(each, place, numbers, must=wanted is not None) for each in found.terms]
    labels = {"idle": list(found.idle), "alone": list(found.alone), "unseen": list(found.unseen)}
    shown = {
        "counters": [{"counter": each.counter, "shows": list(each.shows)} for each in found.counters],
        "actions": [{"action": each.action, "only": each.only or None} for each in found.actions],
    }
    return {"a": names[0], "b": names[1], "terms": terms, **labels, **shown}


def _term(each: TermDifference, place: Path, numbers: Iterator[int], *, must: bool) -> dict[str, Any]:
    return {
        "term": each.term,
        "differs": each.differs,
        "of": each.of,
        "only": each.only or None,
        "groups": [_group(group, place / f"witness-{next(numbers)}.yaml", must=must) for group in each.groups],
    }


def _group(group: Group, file: Path, *, must: bool) -> dict[str, Any]:
    """Shape one group and save its position; a cache nobody can write to only costs the file."""
    path = ""
    if must:
        path = write_witness(file, group.witness.file)
    else:
        with suppress(OSError):
            path = write_witness(file, group.witness.file)
    return {
        "summary": group.summary,
        "witness": path or None,
        "rules": list(group.rules),
        "against": list(group.against),
        "follows": list(group.follows),
        "differs": group.differs,
        "question": group.witness.question,
        "a": group.witness.a,
        "b": group.witness.b,
        "lacks": list(group.witness.lacks),
        "position": group.witness.file,
    }
