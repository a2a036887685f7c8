"""The semantic index."""
