"""The rule graph: the interface between compiler and runtime."""
