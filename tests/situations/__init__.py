"""Situation cards: their format, cards without their boards, and patches of cards."""
