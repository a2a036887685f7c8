"""The contradictions between the sources of a stack: the readings of each dispute, and their differences.

The stack is compiled under every reading that was not chosen, and compared with the original: whether two readings
differ is computed instead of assumed.
"""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from compiler.layered.stack_request import other_reading
from compiler.rulebook.index.mentions import BookKey
from compiler.rulebook.naming import titles_of_things
from rulewright.contrast.differences import as_data, difference_of
from rulewright.library.stacks import PackageSet, Stack
from rulewright.progress import counted_progress
from runtime.graph import nodes as graph
from runtime.witness.example_corpus import AskedQuestions

# The most readings that are compared, over all disputes: each takes some seconds in a large game.
MOST_READINGS = 24


def disputes_of(stack: Stack, folder: Path | None) -> dict[str, Any]:
    """Return the disputes of a compiled stack as data for `disputes --format json`, with positions saved as files.

    After an interrupt these are the disputes before it, and `left` lists the others.
    """
    rules, disputes, comparisons_left = stack.rules, list[dict[str, Any]](), MOST_READINGS
    example_runs = AskedQuestions(rules)
    titles = titles_of_things(rules)
    with suppress(KeyboardInterrupt):
        for each in counted_progress("looking for positions where readings part, disputes", rules.disputes.values()):
            disputes.append(_dispute(stack, example_runs, each, titles, folder, comparisons_left))
            comparisons_left = max(0, comparisons_left - len(each.readings) + 1)
    left = [*rules.disputes][len(disputes) :]
    return {"stack": stack.name, "disputes": disputes, "left": left, "gaps": gaps_of(stack)}


def gaps_of(stack: Stack) -> list[dict[str, str]]:
    """Return the gaps that the layers of a stack declare in their sources."""
    layers = stack.library.layers
    return [
        {"layer": layer.name, "gap": gap}
        for layer in stack.rules.layers
        if layer.name in layers
        for gap in layers[layer.name].gaps
    ]


def _dispute(
    stack: Stack,
    example_runs: AskedQuestions,
    dispute: graph.Dispute,
    titles: Mapping[BookKey, str],
    folder: Path | None,
    comparisons_left: int,
) -> dict[str, Any]:
    """Convert a dispute to data: its title, its question and its readings; `comparisons_left` of these are compared."""
    chosen = next(reading for reading in dispute.readings if reading.chosen)
    others = [reading for reading in dispute.readings if not reading.chosen]
    return {
        "dispute": dispute.label,
        "title": titles["dispute", dispute.label],
        "question": dispute.question,
        "cites": list(dispute.cites),
        "layer": dispute.origin.layer,
        "file": f"{dispute.origin.file}:{dispute.origin.line}",
        "chosen": _reading(chosen, titles),
        "others": [
            {
                **_reading(other, titles),
                **_reading_difference(
                    stack, example_runs, dispute, other.label, folder, looks=number < comparisons_left
                ),
            }
            for number, other in enumerate(others)
        ],
    }


def _reading(reading: graph.Reading, titles: Mapping[BookKey, str]) -> dict[str, Any]:
    title = titles["reading", reading.label]
    return {"reading": reading.label, "title": title, "cites": list(reading.cites), "why": reading.reason}


def _reading_difference(
    stack: Stack,
    example_runs: AskedQuestions,
    dispute: graph.Dispute,
    reading: str,
    folder: Path | None,
    *,
    looks: bool,
) -> dict[str, Any]:
    """Compare a stack with itself under another reading.

    `diff` has the format of `diff --format json`; it is null if the reading does not compile, or if it was not compared
    since there are too many readings (`looked` is false).
    """
    place = folder / f"{dispute.label}={reading}" if folder else None
    name = other_reading(stack.name, dispute.label, reading)
    if not looks:
        return {"stack": name, "looked": False, "diff": None}
    other = PackageSet(stack.library, ()).compiled(name)
    if other.graph is None:
        return {"stack": name, "looked": True, "diff": None}
    found = difference_of(stack, other, example_runs=example_runs)
    graphs = example_runs.rules, other.graph
    return {"stack": name, "looked": True, "diff": as_data(found, (graphs[0].stack, name), graphs, place)}
