"""Graphs altered in one place each, and which of them the examples tell from the graph as it is."""
