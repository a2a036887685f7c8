"""Parse numbers of data files as exact fractions.

`Fraction` accepts more than authors write and computes it at any cost: `1e999999999` has 10^9 digits.
"""

import re
from fractions import Fraction

_WRITTEN = re.compile(r"[-+]?[0-9]{1,12}(?:[/.][0-9]{1,12})?")


def amount_of(text: str) -> Fraction | None:
    """Parse `3`, `-1`, `1/2` or `2.5`; None for any other text."""
    if not _WRITTEN.fullmatch(text):
        return None
    try:
        return Fraction(text)
    except ZeroDivisionError:
        return None
