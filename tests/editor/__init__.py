"""The language server: its workspace, its answers and whole sessions."""
