"""The TextMate grammar, the extension for VS Code, and the settings for Neovim."""
