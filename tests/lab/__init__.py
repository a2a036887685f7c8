"""The analyst's lab: known effects, broken-off experiments, clusters, reports."""
