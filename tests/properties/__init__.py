"""Properties of every position, map, graph and text."""
