"""What comes back from a question: a value and who spoke for it, or the reason why there is none.

`mask` is the decision id: bit i says that rule `term.rules[i]` was live, so an explanation can be
rebuilt later and the fast path never pays for one.

A gap or a clash is a bug in the rules that proofs could not exclude. It stops the question as an
exception, because nothing in between could do anything useful with half an answer; the front end
catches `Unanswered` and shows it as a finding.
"""

from typing import NamedTuple

from runtime.board.answer_errors import AbsentError, OutOfRangeError, Unanswered
from runtime.state.record import Value

__all__ = ["AbsentError", "Answer", "ClashError", "GapError", "OutOfRangeError", "OutsideError", "Unanswered"]


class Answer(NamedTuple):
    """The value, and bit i for each live rule i of the term."""

    value: Value
    mask: int


class GapError(Unanswered):
    """No rule answers."""


class ClashError(Unanswered):
    """Two live rules answer differently; the inherited `labels` are those of all that spoke."""


class OutsideError(Unanswered):
    """The answer lies outside the domain that the term declares."""
