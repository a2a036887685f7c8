"""What editors are given: the grammar for highlighting, and the extension."""
