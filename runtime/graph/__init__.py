"""The rule graph: the compiler's only output and the runtime's only input."""
