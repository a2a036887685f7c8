"""Situation cards: the format, cards at rest, and patches of cards."""
