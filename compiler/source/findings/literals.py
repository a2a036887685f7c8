"""Numbers, citations and nesting that no text of the language may have."""

from compiler.source.finding import LocatedFinding, finding
from compiler.source.sentence import Sentence

_MOST_SHOWN_DIGITS = 12  # the number of digits shown of a long number


@finding("R0105", "bad-number")
class BadNumber(LocatedFinding):
    """An invalid number: a decimal (`3.5`), a zero denominator (`1/0`), too many digits, adjacent letters (`3MP`)."""

    text: str

    def sentence(self) -> Sentence:
        if self.text.isdecimal():
            message = f"{shortened_digits(self.text)} is too large"
            return self.sentence_here(message, "here", "write a number with at most nine digits")
        advice = "write a whole number or a fraction, with a blank before its measure, as in `7/2 MP`"
        return self.sentence_here(f"`{self.text}` is not a number", "here", advice)


@finding("R0106", "bad-cite")
class BadCite(LocatedFinding):
    """A citation that is no id (`TQ.LANE.02`), no short id (`.03`) and no range (`.04-.06`), or that is repeated."""

    text: str
    is_repetition: bool = False

    def sentence(self) -> Sentence:
        if self.is_repetition:
            return self.sentence_here(f"`{self.text}` is cited twice", "again here", "delete one of them")
        advice = "write `[DOC.SECTION.04]`, `[DOC.SECTION.04 .05]` or `[DOC.SECTION.04-.06]`"
        return self.sentence_here(f"`{self.text}` is not a citation", "cited here", advice)


@finding("R0107", "too-deep")
class TooDeep(LocatedFinding):
    """Nesting deeper than `limit`; no game needs it and no reader could follow it."""

    limit: int

    def sentence(self) -> Sentence:
        advice = (
            "give a part of it a name of its own, with `define` or `with`"
            if self.span.file.endswith(".rules")
            else "look for a bracket or brace that is not closed"
        )
        return self.sentence_here(f"this is nested more than {self.limit} levels deep", "too deep", advice)


def shortened_digits(digits: str) -> str:
    """Return a number in backticks, a long one without its end."""
    return f"`{digits}`" if len(digits) <= _MOST_SHOWN_DIGITS else f"`{digits[:_MOST_SHOWN_DIGITS]}..`"
