"""Numbers in data files, as exact fractions.

`Fraction` reads more than people write, and works it out whatever it takes: `1e999999999` has 10^9 digits.
"""

import re
from fractions import Fraction

_WRITTEN = re.compile(r"[-+]?[0-9]{1,12}(?:[/.][0-9]{1,12})?")


def amount_of(text: str) -> Fraction | None:
    """Read `3`, `-1`, `1/2` or `2.5`; None for anything else."""
    if not _WRITTEN.fullmatch(text):
        return None
    try:
        return Fraction(text)
    except ZeroDivisionError:
        return None
