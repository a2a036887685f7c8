"""Spans of text: file, lines and columns, all counted from one; and the bases of what begins with a span."""

from dataclasses import dataclass

from runtime.graph.frozen_dataclass import frozen_dataclass


# Immutable by convention. A frozen class would take twice as long to construct, and half of what parsing constructs are
# spans.
@dataclass(slots=True, order=True, unsafe_hash=True)
class Span:
    """A contiguous part of one source file. `end_column` is the first column after it."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def contains(self, other: "Span") -> bool:
        """Return whether another span lies within this one."""
        begins = (self.line, self.column) <= (other.line, other.column)
        ends = (other.end_line, other.end_column) <= (self.end_line, self.end_column)
        return self.file == other.file and begins and ends


NOWHERE = Span("", 0, 0, 0, 0)


@frozen_dataclass
class Node:
    """A node of a source tree, with the text that it was built from."""

    span: Span
