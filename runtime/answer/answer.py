"""The answer to a question: a value and the mask of its live rules, or the exception that says why there is none.

`mask` is the decision id: bit i is set if rule `term.rules[i]` was live. An explanation is rebuilt from it on demand,
so that evaluation does not pay for one.

A gap or a clash is a bug in the rules that proofs could not exclude. It is raised as an exception, as no caller in
between can use a partial answer; the front end catches `Unanswered` and reports it as a finding.
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
    """No rule applies, and the term has no default."""


class ClashError(Unanswered):
    """Two live rules conclude different values; the inherited `labels` are those of all live rules."""


class OutsideError(Unanswered):
    """The value lies outside the declared domain of the term."""
