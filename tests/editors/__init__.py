"""Support for editors: the grammar for highlighting, and the extension."""
