"""Convert YAML documents to source nodes: one module for each family of files."""
