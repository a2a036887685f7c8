"""The order of numbers of the printed book."""

import re


def number_key(number: str) -> tuple[tuple[int, str], ...]:
    """Return the sort key of a number: 4.29 before 4.2-10, 4.21z before 4.21aa."""
    steps = re.findall(r"^\d+|-\d+|\d|[a-z]+", number)
    return tuple((len(each), each) if each.isalpha() else (int(each.lstrip("-")), "") for each in steps)


def register_key(number: str) -> tuple[tuple[tuple[int, str], ...], int]:
    """Return the sort key of a number of a rule or of a ruling beside it: 4.21 before 4.21 Q1, Q9 before Q10."""
    above, _, question = number.partition(" Q")
    return number_key(above), int(question) if question.isdecimal() else 0
