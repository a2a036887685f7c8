"""Properties of every position, map, graph and text, tested with random ones."""
