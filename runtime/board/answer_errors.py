"""Why a question has no answer: what the evaluators raise, and what a map that lacks lines and directions raises."""

from typing import Any


class Unanswered(Exception):  # noqa: N818 - not an error of the program, but a finding about the rules.
    """A question without an answer. `callee` is a term or table, `arguments` are plain values."""

    def __init__(self, callee: str, arguments: tuple[Any, ...], labels: tuple[str, ...] = ()) -> None:
        """Keep the parties; words are made where they are shown."""
        super().__init__(callee, arguments, labels)
        self.callee = callee
        self.arguments = arguments
        self.labels = labels


class AbsentError(Unanswered):
    """Something was read that is not there; checked rules test with `has` first.

    Only what should be printed on a piece can be missed: then the name of the piece is the argument.
    """


class OutOfRangeError(Unanswered):
    """A number is put where the declared range excludes it: `callee` is `term(parameter)` or `record.field`.

    `arguments` is the number, `labels` the range.
    """

    def __str__(self) -> str:
        """Return what is put where."""
        how = "given" if self.callee.endswith(")") else "set to"
        return f"`{self.callee}` is {how} {self.arguments[0]}, but is declared {self.labels[0]}"


class NoGeometryError(Unanswered):
    """A line or a direction is asked of what is no hex, or of hexes of two maps: `arguments` are their names."""

    def __str__(self) -> str:
        """Return what is asked of what."""
        return f"`{self.callee}` asks for hexes of one map, not for {' and '.join(self.arguments)}"
