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
from rulewright.lab.contrast.differences import as_data, difference_of
from rulewright.library.stacks import PackageSet, Stack
from rulewright.system.progress import counted_progress
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.witness.example_corpus import AskedQuestions


def disputes_of(stack: Stack, folder: Path | None) -> dict[str, Any]:
    """Return the disputes of a compiled stack as data for `disputes --format json`, with positions saved as files.

    After an interrupt these are the disputes before it, and `left` lists the others.
    """
    rules, disputes = stack.rules, list[dict[str, Any]]()
    comparison = _ReadingComparison(stack, AskedQuestions(rules), titles_of_things(rules), folder)
    with suppress(KeyboardInterrupt):
        for each in counted_progress("looking for positions where readings part, disputes", rules.disputes.values()):
            disputes.append(comparison.dispute(each))
    left = [*rules.disputes][len(disputes) :]
    return {"stack": stack.name, "disputes": disputes, "left": left, "gaps": _gaps_of(stack)}


def _gaps_of(stack: Stack) -> list[dict[str, str]]:
    """Return the gaps that the layers of a stack declare in their sources."""
    layers = stack.library.layers
    return [
        {"layer": layer.name, "gap": gap}
        for layer in stack.rules.layers
        if layer.name in layers
        for gap in layers[layer.name].gaps
    ]


@frozen_dataclass
class _ReadingComparison:
    """The comparison of a stack with itself under other readings."""

    stack: Stack
    example_runs: AskedQuestions
    titles: Mapping[BookKey, str]
    folder: Path | None

    def dispute(self, dispute: graph.Dispute) -> dict[str, Any]:
        """Convert a dispute to data: its title, its question and its readings."""
        return {
            "dispute": dispute.label,
            "title": self.titles["dispute", dispute.label],
            "question": dispute.question,
            "cites": list(dispute.cites),
            "layer": dispute.origin.layer,
            "file": f"{dispute.origin.file}:{dispute.origin.line}",
            "chosen": self.reading(next(reading for reading in dispute.readings if reading.chosen)),
            "others": [
                {**self.reading(reading), **self.difference(dispute, reading.label)}
                for reading in dispute.readings
                if not reading.chosen
            ],
        }

    def reading(self, reading: graph.Reading) -> dict[str, Any]:
        """Convert a reading to data."""
        title = self.titles["reading", reading.label]
        return {"reading": reading.label, "title": title, "cites": list(reading.cites), "why": reading.reason}

    def difference(self, dispute: graph.Dispute, reading: str) -> dict[str, Any]:
        """Return the stack with a reading, and `diff` as `diff --format json` has it, null if it does not compile."""
        name = other_reading(self.stack.name, dispute.label, reading)
        other = PackageSet(self.stack.library, ()).compiled(name)
        if other.graph is None:
            return {"stack": name, "diff": None}
        found = difference_of(self.stack, other, example_runs=self.example_runs)
        graphs = self.example_runs.rules, other.graph
        place = self.folder / f"{dispute.label}={reading}" if self.folder else None
        return {"stack": name, "diff": as_data(found, (graphs[0].stack, name), graphs, place)}
