"""Proofs beyond case analysis: dependent amounts, products, numbers without bounds.

In: the rules of one term, or a step that writes a number. Out: the same proof context, its queries decided by z3 (the
extra `prover`) instead of by cases. Without z3 the front end reports that this check was skipped.
"""
