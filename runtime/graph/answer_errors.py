"""Errors of evaluation: why a question has no answer.

A gap or a clash is a bug in the rules that proofs could not exclude. It is raised as an exception, as no caller in
between can use a partial answer; the front end catches `Unanswered` and reports it as a finding.
"""

from typing import Any


class Unanswered(Exception):  # noqa: N818 - not an error of the program, but a finding about the rules.
    """A question without an answer. `callee` is a term or table, `arguments` are plain values."""

    def __init__(self, callee: str, arguments: tuple[Any, ...], labels: tuple[str, ...] = ()) -> None:
        """Store the parts of the message, which is formatted where it is shown."""
        super().__init__(callee, arguments, labels)
        self.callee = callee
        self.arguments = arguments
        self.labels = labels


class GapError(Unanswered):
    """No rule applies, and the term has no default."""


class ClashError(Unanswered):
    """Two live rules conclude different values; the inherited `labels` are those of all live rules."""


class OutsideError(Unanswered):
    """The value lies outside the declared domain of the term."""


class AbsentError(Unanswered):
    """An absent value was read; checked rules test with `has` first.

    Only a printed factor and the hex of a piece can be missing in checked rules: then the name of the piece is the
    argument.
    """

    def without_hex(self) -> str:
        """Return why a piece has no hex; "" if anything else is absent."""
        if self.callee != "hex":
            return ""
        piece = f"`{self.arguments[0]}`" if self.arguments else "a piece"
        return f"the `hex` of {piece} is read, which is off the map or out of the game"


class OutOfRangeError(Unanswered):
    """A number outside the declared range of a parameter or field: `callee` is `term(parameter)` or `record.field`.

    `arguments` is the number, `labels` the range.
    """

    def __str__(self) -> str:
        """Return the message."""
        verb = "set to" if "." in self.callee else "given"
        return f"`{self.callee}` is {verb} {self.arguments[0]}, but is declared {self.labels[0]}"


class NoGeometryError(Unanswered):
    """A line or direction between spaces that are not hexes of one map: `arguments` are their names."""

    def __str__(self) -> str:
        """Return the message."""
        return f"`{self.callee}` asks for hexes of one map, not for {' and '.join(self.arguments)}"
