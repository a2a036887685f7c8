"""Procedures and the hooks on them: what they do, step by step, and what they may set."""
