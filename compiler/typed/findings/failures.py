"""Evaluations that may fail, with the guard that excludes it."""

from compiler.source.finding import LocatedFinding, finding
from compiler.source.sentence import Sentence
from runtime.graph.operators import OPERATORS


@finding("R0404", "may-be-absent")
class MayBeAbsent(LocatedFinding):
    """A value that may be absent, used without the `test` to its left; an example has no `when`."""

    value_text: str
    test: str
    in_example: bool = False

    def sentence(self) -> Sentence:
        return self.sentence_here(
            f"`{self.value_text}` may be absent here",
            "used without knowing that it is there",
            f"ask both in parentheses: `({self.test} and {_read_when(self.test, self.value_text)} = ..)`"
            if self.in_example
            else f"ask `{self.test}` first: to its left, joined by `and`, or in `when`",
        )


@finding("R0405", "may-be-zero")
class MayBeZero(LocatedFinding):
    """A divisor that may be zero."""

    divisor: str

    def sentence(self) -> Sentence:
        advice = (
            "divide by another number"
            if self.divisor.partition(" ")[0] == "0"
            else f"rule it out to the left or in `when`: `{self.divisor} > 0`"
        )
        return self.sentence_here(f"`{self.divisor}` may be zero here", "divides", advice)


@finding("R0406", "may-be-empty")
class MayBeEmpty(LocatedFinding):
    """A least, greatest, min or max without `otherwise` of a collection that may be empty."""

    op: str

    def sentence(self) -> Sentence:
        message = f"`{self.op}` has no answer when nothing is there to choose from"
        return self.sentence_here(message, "may be empty", f"say what then: `{self.op}(... otherwise ...)`")


@finding("R0407", "key-outside")
class KeyOutside(LocatedFinding):
    """A lookup in a table with a key that may lie outside its declared keys, whose first and last are `ends`."""

    table: str
    key: str
    domain: str
    ends: tuple[str, str] = ("lowest", "highest")

    def sentence(self) -> Sentence:
        advice = f"bring it inside with `clamp({self.key}, {self.ends[0]}, {self.ends[1]})`, or compare it first"
        return self.sentence_here(
            f"`{self.key}` may lie outside the keys of `{self.table}`",
            f"the table goes from {self.domain}" if ".." in self.domain else f"the table knows {self.domain}",
            advice,
        )


@finding("R0412", "never-fits")
class NeverFits(LocatedFinding):
    """A number outside the range of its target in every position; `values` is its own range, "" if it is a literal."""

    target: str
    domain: str
    written: str
    values: str

    def sentence(self) -> Sentence:
        return self.sentence_here(
            f"`{self.written}` never fits `{self.target}`, which is {self.domain}",
            f"this is {self.values}" if self.values else f"not in {self.domain}",
            "correct the number"
            + ("" if self.target in OPERATORS else f", or declare a wider range for `{self.target}`"),
        )


def _read_when(condition: str, value_text: str) -> str:
    """Return what may be read where `condition` holds: `b.owner` for `b has owner`, `t[k].cost` for `t[k] is cost`."""
    cell, _, kind = condition.rpartition(" is ")
    return f"{cell}.{kind}" if cell else f"{condition.partition(' has ')[0]}.{value_text.rpartition('.')[2]}"
