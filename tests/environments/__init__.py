"""Situations as PettingZoo environments."""
