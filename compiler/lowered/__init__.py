"""Stage 5: a typed stack put into one rule graph, in canonical order, with its hash."""
