"""Stage 2: it assembles one stack from its layers, with relations between rules as edges."""
