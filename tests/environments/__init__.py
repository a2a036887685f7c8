"""Situation cards as PettingZoo environments."""
