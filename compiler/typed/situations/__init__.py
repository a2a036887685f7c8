"""Boards, situation cards, position files and the small positions of examples."""
