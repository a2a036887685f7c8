"""Elaboration of boards, situation cards, position files and the small positions of examples."""
