"""Elaboration of expressions: one traversal that resolves names by type and checks types by name."""
