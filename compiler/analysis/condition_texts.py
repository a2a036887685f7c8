"""Texts of conditions in findings: which exclude one another, and under which something was found."""

import re

from compiler.source.sentence import LONGEST_CONCLUSION, MOST_NAMES, Severity, Witness, list_words, truncated_line
from runtime.graph.witness_position import WitnessPosition

# A single condition may take two lines: its end may be what is wrong with it.
ALONE = 2 * LONGEST_CONCLUSION


def exclusion_text(conditions: tuple[str, ...]) -> str:
    """Return which conditions are jointly unsatisfiable, or which one is unsatisfiable."""
    longest = ALONE if len(conditions) == 1 else LONGEST_CONCLUSION
    phrase = list_words(tuple(truncated_line(each, longest) for each in conditions), "and", MOST_NAMES)
    return f"{phrase} {'can never' if len(conditions) == 1 else 'cannot all'} be true"


def earlier_condition_text(conditions: tuple[str, ...]) -> str:
    """Return the condition that was tested and false before, if that is all that is wrong; "" elsewhere."""
    if len(conditions) != 2 or conditions[0] == conditions[1]:
        return ""
    refused, earlier_condition = conditions
    return (
        earlier_condition
        if refused
        in {f"not {earlier_condition}", f"not ({earlier_condition})", earlier_condition.replace(" in ", " not in ", 1)}
        else ""
    )


# A case in which an amount equals a fraction.
_PARTED = re.compile(r" = -?\d+/\d+$")


def witness_and_severity(when: tuple[str, ...], proof: WitnessPosition | None, bound: str) -> tuple[Witness, Severity]:
    """Return the witness and the severity of a proof: an error, or a warning where nothing is proved."""
    if proof:
        # A fraction is a boundary of cases; the position that was found has an amount of its own, so it is omitted.
        when = tuple(each for each in when if not _PARTED.search(each))
        return Witness(
            condition_text(when), question=proof.question, answer=proof.answer, file=proof.file
        ), Severity.ERROR
    return Witness(
        condition_text(when), f"no position was found; {bound}" if bound else "no position was found"
    ), Severity.WARNING


def condition_text(when: tuple[str, ...]) -> str:
    """Format the condition under which a finding occurs."""
    return ", ".join(map(_fewer, when)) or "always"


def _fewer(fact: str) -> str:
    """Truncate a list of values, with the number of the rest."""
    values = fact.split("|")
    if len(values) <= 2 * MOST_NAMES:
        return fact
    return f"{'|'.join(values[: 2 * MOST_NAMES])} and {len(values) - 2 * MOST_NAMES} more"
