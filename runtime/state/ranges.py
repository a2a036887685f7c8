"""Range checks of parameters and of record fields.

Rules rely on declared ranges (a divisor declared 1..9 is never zero), so that a number outside its range raises an
error before it is used. The values of terms and tracks are checked where they are computed or set.
"""

from runtime.graph import nodes as graph
from runtime.graph.answer_errors import OutOfRangeError
from runtime.state.record import Value


def is_ranged(declared: graph.Type) -> bool:
    """Return whether a type has a range."""
    if isinstance(declared, graph.Many):
        return is_ranged(declared.of)
    return isinstance(declared, graph.Number) and (declared.low, declared.high) != (None, None)


def excluded_number(declared: graph.Type | None, value: Value) -> Value:
    """Return a number outside its range: the value, or a member of a collection; None if there is none."""
    match declared:
        case graph.Number():
            return None if value is None or declared.contains(value) else value
        case graph.Many(_, member_type) if value is not None and is_ranged(member_type):
            return next((number for number in value if excluded_number(member_type, number) is not None), None)
        case _:
            return None


def check_range(part: graph.Parameter, owner: str, value: Value, *, field: bool = False) -> None:
    """Raise `OutOfRangeError` if a parameter or field has a number outside its range."""
    number = excluded_number(part.type, value)
    if number is not None:
        name = f"{owner}.{part.name}" if field else f"{owner}({part.name})"
        raise OutOfRangeError(name, (number,), (range_of(part.type),))


def check_ranges(parameters: tuple[graph.Parameter, ...], owner: str, values: tuple[Value, ...]) -> None:
    """Check the arguments of a question or a procedure; raises `OutOfRangeError`."""
    for part, value in zip(parameters, values, strict=True):
        check_range(part, owner, value)


def range_of(declared: graph.Type) -> str:
    """Return the text of the range of a number, or of the members of a collection, as it is declared."""
    number = declared.of if isinstance(declared, graph.Many) else declared
    assert isinstance(number, graph.Number)
    low, high = ("" if end is None else end for end in (number.low, number.high))
    whole = "a whole number of " if number.is_whole else ""
    return f"{whole}{low}..{high} {number.measure}".rstrip()
