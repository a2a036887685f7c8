"""Proofs that cases cannot give: amounts that hang together, products, numbers without ends.

In: the rules of one term, or a step that sets a number. Out: the same context of proofs, its questions answered by z3
(the extra `prover`) instead of by cases. Without it the front end says that this check was skipped.
"""
