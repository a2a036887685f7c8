"""Stage 3: names and types resolved in one walk; expressions become nodes of the rule graph."""
