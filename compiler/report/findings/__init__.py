"""Findings of questions, examples, games and revisions, made from errors of the runtime."""
