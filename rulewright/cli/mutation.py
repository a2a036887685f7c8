"""What `rulewright test STACK --mutate` tells: what is unprotected, what was altered by kind, what was left out."""

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rulewright.cli.console import Reply, progress
from rulewright.library.stacks import Shelves
from rulewright.mutation.protect import Found, Limits, Survivor, protect
from rulewright.mutation.telling import kind, kinds, now_text, place, subject, told, was_text
from runtime.graph import nodes as graph
from runtime.graph.words import listed as in_a_row

# What is never altered, and who looks at it instead.
NEVER = (
    "sentences, titles and how things read, which change no answer",
    "the range declared for an answer or a note, which `check` proves",
    "preconditions and `always`, which `audit` and `check` ask",
    "`preferring`, by which only greedy players choose",
    "the terrain of boards and the positions of examples, which are what is given",
    "two alterations at once",
)
MINUTE = 60


def mutated(shelves: Shelves, stack: str, packages: Sequence[Path], since: str, budget: float, jobs: int) -> Reply:
    """Alter all that a stack answers for, and tell what no example notices."""
    end = time.monotonic() + budget * MINUTE if budget else None
    late: Callable[[], bool] = lambda: end is not None and time.monotonic() > end  # noqa: E731 -- one line says it all
    with progress(f"altering {stack}", 0) as moved:
        found = protect(shelves, stack, packages, Limits(since, late, jobs or os.cpu_count() or 1), moved)
    texts = shelves.texts()
    survivors = sorted(((place(each.mutant, each.rules, texts), each) for each in found.survivors), key=_by_place)
    lines = [f"unprotected: {_at(origin)}: {_told(each, stack)}" for origin, each in survivors]
    lines += [f"listed as equivalent, but noticed or no more there: {_line(each)}" for each in found.stale]
    lines += _summary(found, since)
    return Reply(_data(found, survivors), "\n".join(lines), bool(found.survivors or found.stale or found.broken))


def _by_place(pair: tuple[graph.Origin, Survivor]) -> tuple[str, int, int]:
    return pair[0].file, pair[0].line, pair[0].column


def _at(origin: graph.Origin) -> str:
    return f"{origin.file}:{origin.line}"


def _line(each: Any) -> str:
    return f"{each.span.file}:{each.span.line}: {each.at}, {each.was} made {each.now}"


def _told(each: Survivor, stack: str) -> str:
    under = f" (under {each.stack})" if each.stack != stack else ""
    return f"{told(each.mutant, each.rules)}{under}"


def _summary(found: Found, since: str) -> Iterator[str]:
    """Say what was altered, by kind, and what was left out."""
    whole, noticed = found.altered.total(), found.noticed.total()
    if not whole:
        yield f"nothing was altered: nothing {f'that changed since {since} ' if since else ''}can be"
    else:
        yield f"{noticed} of {whole} alterations are noticed by an example:"
        yield from _table(found.altered, found.noticed)
    if found.proved:
        yield f"{len(found.proved)} more are proved to say the same, so that nothing can notice them"
    if found.listed:
        yield f"{len(found.listed)} more are listed as equivalent by their layers"
    if found.untried:
        yield f"{found.untried} were not tried, as time was up or it was interrupted"
    if found.broken:
        yield f"not looked at, as they do not compile: {', '.join(found.broken)}"
    if since:
        yield f"left out: all that is as it was at {since}"
    if found.below:
        yield f"left out: {in_a_row(sorted(found.below))} below, whose own stacks answer for them"
    yield f"never altered: {'; '.join(NEVER)}"


def _table(altered: Mapping[str, int], noticed: Mapping[str, int]) -> Iterator[str]:
    for what in sorted(altered, key=kinds):
        yield f"  {kinds(what)}: {noticed.get(what, 0)} of {altered[what]}"


def _data(found: Found, survivors: Sequence[tuple[graph.Origin, Survivor]]) -> dict[str, Any]:
    """Shape it for programs."""
    return {
        "unprotected": list(dict.fromkeys(subject(each.mutant) for _, each in survivors)),
        "unprotected_at": [
            {
                "what": kind(each.mutant),
                "name": subject(each.mutant),
                "was": was_text(each.mutant, each.rules),
                "now": now_text(each.mutant, each.rules),
                "says": told(each.mutant, each.rules),
                "stack": each.stack,
                "cites": list(each.mutant.cites),
                "file": origin.file,
                "line": origin.line,
            }
            for origin, each in survivors
        ],
        "altered": {kinds(what): count for what, count in sorted(found.altered.items())},
        "noticed": {kinds(what): count for what, count in sorted(found.noticed.items())},
        "proved_equivalent": len(found.proved),
        "listed_equivalent": [{"in": entry.at, "was": entry.was, "now": entry.now, "why": entry.why}
                              for _, entry in found.listed],
        "stale": [{"in": each.at, "was": each.was, "now": each.now, "file": each.span.file, "line": each.span.line}
                  for each in found.stale],
        "untried": found.untried,
        "not_compiled": list(found.broken),
        "judged_elsewhere": sorted(found.below),
        "never_altered": list(NEVER),
    }  # fmt: skip
