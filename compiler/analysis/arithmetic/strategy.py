"""The proof strategy by arithmetic, where z3 is installed."""

from compiler.analysis.arithmetic.exact import ExactTranslator
from compiler.analysis.arithmetic.solver import is_installed, solve_exactly
from compiler.analysis.proof_context import ProofStrategy

BY_ARITHMETIC = ProofStrategy(ExactTranslator, solve_exactly)


def available_strategy() -> ProofStrategy | None:
    """Return the strategy by arithmetic; None where z3 is not installed."""
    return BY_ARITHMETIC if is_installed() else None
