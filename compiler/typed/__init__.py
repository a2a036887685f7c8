"""Elaboration: names and types are resolved in one traversal; expressions become nodes of the rule graph."""
