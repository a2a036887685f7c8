"""Suppress the errors of rules in a graph or a position that they do not fit.

A search tries graphs without some of their changes, and positions that no game reaches. There a question may have no
answer, a procedure cannot continue, or a value has another type than the one that generated code was written for.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from types import NoneType

from runtime.play.rule_faults import BrokenRules
from runtime.state.record import Record
from runtime.witness.instance import NO_ANSWER

# The types of the values of rules. That such a value lacks an attribute is no error of the program.
VALUES = (NoneType, bool, int, str, Fraction, tuple, frozenset, Record)


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
