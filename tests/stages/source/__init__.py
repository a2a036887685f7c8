"""Text as written: parsing, recovery, YAML, packages."""
