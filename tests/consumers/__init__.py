"""Whether every consumer of the graph knows every operator, node, step and word that there is."""
