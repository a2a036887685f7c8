"""Plays a graph: procedures as flat instructions, every choice of a player as a finite list."""
