"""Stage 2: one stack assembled from its layers, every relation between rules an edge."""
