"""The analyst's lab: changes of known effect, interrupted experiments, clusters, reports."""
