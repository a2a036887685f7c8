"""Mutants of the shipped corpus for every kind of input: no traceback, no hang, and located findings."""
