"""What editors are given beside the language server: highlighting, and an extension for VS Code."""
