"""The order of numbers of the printed book, as a reader counts."""

import re


def number_key(number: str) -> tuple[tuple[int, str], ...]:
    """Sort numbers as a reader counts: 4.29 before 4.2-10, 4.21z before 4.21aa."""
    steps = re.findall(r"^\d+|-\d+|\d|[a-z]+", number)
    return tuple((len(each), each) if each.isalpha() else (int(each.lstrip("-")), "") for each in steps)


def register_key(number: str) -> tuple[tuple[tuple[int, str], ...], int]:
    """Sort numbers of rules, and behind each those of the rulings beside it: 4.21 before 4.21 Q1, Q9 before Q10."""
    above, _, question = number.partition(" Q")
    return number_key(above), int(question) if question.isdecimal() else 0
