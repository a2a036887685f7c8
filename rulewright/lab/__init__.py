"""Two stacks compared: by the differences of their answers (`contrast`), and by experiments, with results on disk."""
