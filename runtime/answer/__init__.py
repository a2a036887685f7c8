"""Questions put to a position and answered from the rule graph, with reasons."""
