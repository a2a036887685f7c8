"""Mutants of the shipped corpus at every entry: no traceback, no hang, located problems."""
