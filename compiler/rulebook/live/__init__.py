"""Interactive pages: their data, written as scripts that are loaded on demand."""
