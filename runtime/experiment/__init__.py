"""Experiments: one scenario many times under two stacks, and what the difference is worth."""
