"""Turns a rule graph into answers, play and experiments. Knows hexes, dice, pieces and turns; knows no game."""
