"""Findings of layers, and of relations between their rules."""
