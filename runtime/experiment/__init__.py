"""Experiments: many games of one scenario under two stacks, and the size of the difference."""
