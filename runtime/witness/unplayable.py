"""Suppress the errors of rules in a graph or a position that they do not fit, and name those that a player would see.

A search tries graphs without some of their changes, and positions that no game reaches. There a question may have no
answer, a procedure cannot continue, or a value has another type than the one that generated code was written for.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from types import NoneType

from runtime.board.answer_errors import ClashError, GapError, OutsideError, Unanswered
from runtime.play.rule_faults import BrokenRules, NoOpenOption
from runtime.state.record import Record
from runtime.witness.instance import NO_ANSWER

# The types of the values of rules. That such a value lacks an attribute is no error of the program.
VALUES = (NoneType, bool, int, str, Fraction, tuple, frozenset, Record)

# Why a question has no answer, by the error.
WITHOUT_ANSWER: dict[type[Unanswered], str] = {
    GapError: "no rule answers {}",
    ClashError: "rules on {} contradict each other",
    OutsideError: "the answer to {} lies outside its range",
}


def no_answer_text(unanswered: Unanswered) -> str:
    """Format why a question has no answer."""
    reason = WITHOUT_ANSWER.get(type(unanswered), "something is read that is not there").format(unanswered.callee)
    return f"no answer ({reason})"


def stop_text(error: Exception) -> str:
    """Return what stops a play where its rules are at fault; "" where the position or the given choices may be."""
    match error:
        case BrokenRules(fault=fault) if isinstance(error, NoOpenOption) or fault.out_of_range:
            return fault.message
        case Unanswered() if type(error) in WITHOUT_ANSWER:
            return no_answer_text(error)
        case _:
            return ""


@contextmanager
def suppress_unplayable() -> Iterator[None]:
    """Suppress the errors of rules; an `AttributeError` only where a value of the rules lacks the attribute."""
    try:
        yield
    except (BrokenRules, *NO_ANSWER):
        pass
    except AttributeError as misfit:
        if type(misfit.obj) not in VALUES:
            raise
