"""What holds for every position, map, graph and text."""
