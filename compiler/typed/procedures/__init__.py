"""Procedures and hooks: their steps, and what these may set."""
