"""Proofs about one compiled stack: constructs that never answer, answer twice, or apply to no subject.

In: a rule graph. Out: findings (findings/), some with the position that proves them.
"""
