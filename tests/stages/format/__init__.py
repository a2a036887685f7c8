"""The layout of texts."""
