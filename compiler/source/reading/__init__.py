"""Turn YAML documents into source nodes: one module for each family of files."""
