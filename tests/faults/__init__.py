"""Planted faults: one slip at a time in a copy of the shipped rules, and whether `check` and `test` point at it."""
