"""Experiments: their set-up, execution, results on disk, and reports."""
