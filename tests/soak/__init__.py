"""Soak: play many games of a situation, look at the position after every decision, and list what never came up."""
