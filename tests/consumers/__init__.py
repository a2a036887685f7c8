"""Tests that every consumer of the graph handles every operator, node, step and word."""
