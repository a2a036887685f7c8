"""Drawings of the book: positions, counters, and the colors of words."""
