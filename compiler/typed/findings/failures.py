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
            "used without a test",
            f"write both in parentheses, `({self.test} and {_read_when(self.test, self.value_text)} = ..)`"
            if self.in_example
            else f"test it first, with `{self.test} and ..` or in `when`",
        )


@finding("R0405", "may-be-zero")
class MayBeZero(LocatedFinding):
    """A divisor that may be zero."""

    divisor: str

    def sentence(self) -> Sentence:
        advice = (
            "divide by another number"
            if self.divisor.partition(" ")[0] == "0"
            else f"exclude zero first, with `{self.divisor} > 0 and ..` or in `when`"
        )
        return self.sentence_here(f"this divides by `{self.divisor}`, which may be zero", "the divisor", advice)


@finding("R0406", "may-be-empty")
class MayBeEmpty(LocatedFinding):
    """A least, greatest, min or max without `otherwise` of a collection that may be empty."""

    op: str

    def sentence(self) -> Sentence:
        message = f"`{self.op}` has no value when its set is empty"
        advice = f"state a value for that case, `{self.op}(.. otherwise ..)`"
        return self.sentence_here(message, "may be empty", advice)


@finding("R0407", "key-outside")
class KeyOutside(LocatedFinding):
    """A lookup in a table with a key that may lie outside its declared keys, whose first and last are `ends`."""

    table: str
    key: str
    domain: str
    ends: tuple[str, str] = ("lowest", "highest")

    def sentence(self) -> Sentence:
        advice = f"limit it with `clamp({self.key}, {self.ends[0]}, {self.ends[1]})`, or compare it first"
        return self.sentence_here(
            f"`{self.key}` may be outside the keys of `{self.table}`",
            f"the keys are {self.domain}",
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
            f"`{self.written}` is outside the range of `{self.target}`, {self.domain}",
            f"always {self.values}" if self.values else "here",
            "correct the number"
            + ("" if self.target in OPERATORS else f", or declare a wider range for `{self.target}`"),
        )


def _read_when(condition: str, value_text: str) -> str:
    """Return what may be read where `condition` holds: `b.owner` for `b has owner`, `t[k].cost` for `t[k] is cost`."""
    cell, _, kind = condition.rpartition(" is ")
    return f"{cell}.{kind}" if cell else f"{condition.partition(' has ')[0]}.{value_text.rpartition('.')[2]}"
