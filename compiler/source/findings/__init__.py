"""Findings of texts and files as written.

A text in a field is as the author wrote it, shortened where it may be long.
"""
