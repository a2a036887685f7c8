"""Proofs about one compiled stack: constructs that never answer, answer twice, or apply to no subject.

In: a rule graph. Out: problems, as data; their texts are in report/words/analysis.py.
"""
