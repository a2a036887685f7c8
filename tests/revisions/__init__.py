"""Comparison of rules with an earlier revision or with checksums."""
