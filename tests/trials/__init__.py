"""Trials and experiments: golden games, replay, divergence, statistics."""
