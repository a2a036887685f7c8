"""The source stage: parsing, error recovery, YAML, packages."""
