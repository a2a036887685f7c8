"""What is wrong with a step that a precondition governs."""

from dataclasses import dataclass

from compiler.analysis.parties import Party, StepAt


@dataclass(frozen=True, slots=True)
class UnguardedStep:
    """A step is governed by a precondition, and nobody asks its question, `term`, on the way.

    `others` are procedures whose steps it governs as well, and that do ask.
    """

    procedure: Party
    step: StepAt
    precondition: Party
    term: str
    others: tuple[Party, ...]
