"""Numbers that are set or given outside of their range; compiler/analysis/range_checks.py finds them."""

from compiler.analysis.condition_texts import witness_and_severity
from compiler.analysis.parties import Party, StepPlace, party_label
from compiler.source.finding import Finding, finding
from compiler.source.sentence import Sentence, Severity, backquoted, truncated_line
from runtime.graph.operators import OPERATORS
from runtime.graph.witness_position import WitnessPosition


@finding("R0521", "leaves-range")
class OutOfRangeWrite(Finding):
    """A procedure sets `target`, declared `domain`, to a number outside of its range: `always`, or possibly.

    `is_argument`: it, or a rule (then `step` is None), passes the number to a question, a procedure or a new record.
    """

    procedure: Party
    step: StepPlace | None
    target: str
    domain: str
    value: str
    when: tuple[str, ...]
    witness: WitnessPosition | None
    always: bool
    is_argument: bool = False

    def sentence(self) -> Sentence:
        verb, to = ("give", "") if self.is_argument else ("set", "to ")
        verb_phrase = f"always {verb}s" if self.always else f"{verb}s" if self.witness else f"may {verb}"
        ask = "a condition" if self.step is None else "a `legal` line or an `if`"
        before = " to its left" if self.step is None else ""
        widen = "" if self.target in OPERATORS else ", or declare a wider range"
        return Sentence(
            f"`{self.procedure.label}` {verb_phrase} `{self.target}` {to}a number outside {self.domain}",
            (party_label(self.procedure, backquoted(truncated_line(self.value))),),
            f"add {ask}{before}, {'or ' if not widen else ''}limit it with `min`, `max` or `clamp`{widen}",
            None if self.always else witness_and_severity(self.when, self.witness, "")[0],
            root=f"{self.procedure.label} {self.target}",
            severity=Severity.ERROR if self.always or self.witness else Severity.WARNING,
        )
