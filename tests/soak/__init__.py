"""Soak: many games of a situation, with a check of the position at every decision, and a list of unused rules."""
