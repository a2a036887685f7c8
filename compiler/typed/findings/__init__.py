"""Findings of names and types."""
