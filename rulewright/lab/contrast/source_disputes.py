"""The contradictions between the sources of a stack: the readings of each dispute, and their differences.

The stack is compiled under every reading that was not chosen, and compared with the original: whether two readings
differ is computed instead of assumed.
"""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from compiler.layered.stack_request import other_reading
from compiler.rulebook.index.mentions import BookKey
from compiler.rulebook.naming import titles_of_things
from rulewright.lab.contrast.differences import as_data, difference_of
from rulewright.library.stacks import PackageSet, Stack
from rulewright.system.progress import counted_progress
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.records.books import DisputeRecord, DisputesRecord, GapRecord, OtherReadingRecord, ReadingRecord
from runtime.witness.example_corpus import AskedQuestions


def disputes_of(stack: Stack, folder: Path | None) -> DisputesRecord:
    """Return the disputes of a compiled stack as data for `disputes --format json`, with positions saved as files.

    After an interrupt these are the disputes before it, and `left` lists the others.
    """
    rules, disputes = stack.rules, list[DisputeRecord]()
    comparison = _ReadingComparison(stack, AskedQuestions(rules), titles_of_things(rules), folder)
    with suppress(KeyboardInterrupt):
        for each in counted_progress("looking for positions where readings part, disputes", rules.disputes.values()):
            disputes.append(comparison.dispute(each))
    left = [*rules.disputes][len(disputes) :]
    return {"stack": stack.name, "disputes": disputes, "left": left, "gaps": _gaps_of(stack)}


def _gaps_of(stack: Stack) -> list[GapRecord]:
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

    def dispute(self, dispute: graph.Dispute) -> DisputeRecord:
        """Convert a dispute to data: its title, its question and its readings."""
        return {
            "dispute": dispute.label,
            "title": self.titles["dispute", dispute.label],
            "question": dispute.question,
            "cites": list(dispute.cites),
            "layer": dispute.origin.layer,
            "file": f"{dispute.origin.file}:{dispute.origin.line}",
            "chosen": self.reading(next(reading for reading in dispute.readings if reading.chosen)),
            "others": [self.difference(dispute, reading) for reading in dispute.readings if not reading.chosen],
        }

    def reading(self, reading: graph.Reading) -> ReadingRecord:
        """Convert a reading to data."""
        title = self.titles["reading", reading.label]
        return {"reading": reading.label, "title": title, "cites": list(reading.cites), "why": reading.reason}

    def difference(self, dispute: graph.Dispute, other: graph.Reading) -> OtherReadingRecord:
        """Convert a reading that is not chosen, with the record of `diff` between the two stacks."""
        record = self.reading(other)
        name = other_reading(self.stack.name, dispute.label, other.label)
        stack = PackageSet(self.stack.library, ()).compiled(name)
        if stack.graph is None:
            return {**record, "stack": name, "diff": None}
        found = difference_of(self.stack, stack, example_runs=self.example_runs)
        graphs = self.example_runs.rules, stack.graph
        place = self.folder / f"{dispute.label}={other.label}" if self.folder else None
        return {**record, "stack": name, "diff": as_data(found, (graphs[0].stack, name), graphs, place)}
