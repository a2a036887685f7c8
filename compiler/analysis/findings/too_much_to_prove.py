"""Proofs that take more steps than they may; what was found before is reported."""

from typing import Literal

from compiler.analysis.parties import Party, StepPlace, party_label
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence

_ADVICE = "move parts of it to questions of their own, with `define`, or allow more steps with `check --steps`"


@finding("R0566", "too-much-to-prove", WARNING)
class TooMuchToProve(Finding):
    """The proofs of a question or place exhausted their budget of `steps`; `size` is the number of parts to prove.

    `subject`: "rules" of a question, "conditions" of a rule or term, "step" of a procedure; "stack" where the budget of
    the stack was exhausted: then `size` counts the places like this one from here on. Findings up to that point are
    reported.
    """

    procedure: Party
    step: StepPlace | None
    subject: Literal["rules", "conditions", "step", "stack"]
    size: int
    steps: int

    def sentence(self) -> Sentence:
        if self.subject == "stack":
            message = (
                f"`{self.procedure.label}` and all after it were not examined, as proofs took {self.steps:,} steps"
            )
            label = party_label(self.procedure, f"the first of {self.size} places not examined")
            return Sentence(message, (label,), _ADVICE)
        subject = {
            "rules": f"{self.size} rules on one question",
            "conditions": f"{self.size} conditions in one place",
            "step": f"a step after {self.size} conditions",
        }[self.subject]
        message = (
            f"`{self.procedure.label}` was only partly examined, as its proof takes more than {self.steps:,} steps"
        )
        return Sentence(message, (party_label(self.procedure, subject),), _ADVICE)
