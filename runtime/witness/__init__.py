"""Searches for positions: where rules conflict or none answers, and where two stacks answer differently."""
