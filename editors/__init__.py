"""Support for editors beside the language server: highlighting, and an extension for VS Code."""
