"""Hold numbers against the ranges declared where they are put: parameters, and fields of records.

Rules rely on these ranges (a divisor declared 1..9 is never zero), so a number outside of one stops the question or
the game at once, and is never reckoned with. Answers of terms and tracks are held by whoever asks or sets them.
"""

from runtime.board.answer_errors import OutOfRangeError
from runtime.graph import nodes as graph
from runtime.state.record import Value


def is_in_range(declared: graph.Number, value: Value) -> bool:
    """Return whether a number lies between the ends declared for it."""
    return (declared.low is None or value >= declared.low) and (declared.high is None or value <= declared.high)


def is_ranged(declared: graph.Type) -> bool:
    """Return whether a type excludes numbers."""
    if isinstance(declared, graph.Many):
        return is_ranged(declared.of)
    return isinstance(declared, graph.Number) and (declared.low, declared.high) != (None, None)


def excluded_number(declared: graph.Type | None, value: Value) -> Value:
    """Return a number that a range excludes: this one, or one of a collection; None if there is none."""
    match declared:
        case graph.Number():
            return None if value is None or is_in_range(declared, value) else value
        case graph.Many(_, of) if value is not None and is_ranged(of):
            return next((number for number in value if excluded_number(of, number) is not None), None)
        case _:
            return None


def check_range(part: graph.Parameter, owner: str, value: Value, *, field: bool = False) -> None:
    """Stop at a number that the range of a parameter or a field excludes."""
    number = excluded_number(part.type, value)
    if number is not None:
        what = f"{owner}.{part.name}" if field else f"{owner}({part.name})"
        raise OutOfRangeError(what, (number,), (range_of(part.type),))


def check_ranges(parameters: tuple[graph.Parameter, ...], owner: str, values: tuple[Value, ...]) -> None:
    """Hold what a question or a procedure is given."""
    for part, value in zip(parameters, values, strict=True):
        check_range(part, owner, value)


def range_of(declared: graph.Type) -> str:
    """Write a range as it is declared."""
    number = declared.of if isinstance(declared, graph.Many) else declared
    assert isinstance(number, graph.Number)
    low, high = ("" if end is None else end for end in (number.low, number.high))
    return f"{low}..{high} {number.measure}".rstrip()
