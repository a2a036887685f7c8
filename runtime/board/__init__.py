"""Hexes and what is printed on them: the geometry of a map, and no terrain."""
