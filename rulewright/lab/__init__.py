"""Experiments: their set-up, execution, and results on disk."""
