"""Bounds on what a foreign package can do."""
