"""Aims: what a side needs on the map to win, derived from the rules on the outcome, and plans that get it there."""
