"""Stage 5: a typed stack as one rule graph, in canonical order, with its hash."""
