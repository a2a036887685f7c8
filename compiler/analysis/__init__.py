"""Proofs about one compiled stack: what can never answer, answers twice, or answers for nobody.

In: a rule graph. Out: problems, facts only; the words are in report/words/analysis.py.
"""
