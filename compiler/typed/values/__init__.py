"""Expressions: one walk that resolves names by type and checks types by name."""
