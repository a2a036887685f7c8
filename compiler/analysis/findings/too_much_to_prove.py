"""Proofs that take more steps than they may; what was found before is reported."""

from typing import Literal

from compiler.analysis.parties import Party, StepPlace, party_label
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence


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
            return Sentence(
                f"too much to prove in this stack: from `{self.procedure.label}` on it is not proved",
                (party_label(self.procedure, f"the first of {self.size} places that nobody has looked at"),),
                f"the places before it took {self.steps:,} steps: give parts of them names of their own, "
                "with `define`, or let proofs take more steps with `check --steps`",
            )
        subject = {
            "rules": f"{self.size} rules on one question",
            "conditions": f"{self.size} conditions in one place",
            "step": f"a step behind {self.size} conditions",
        }[self.subject]
        labels = (party_label(self.procedure, f"{subject} need more than {self.steps:,} steps"),)
        advice = (
            "give parts of it names of their own, with `define`, or let proofs take more steps with `check --steps`"
        )
        return Sentence(f"too much to prove here: `{self.procedure.label}` is proved only in part", labels, advice)
