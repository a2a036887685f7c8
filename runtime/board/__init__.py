"""Hexes and what is printed on them: the geometry of a map, and nothing of any game."""
