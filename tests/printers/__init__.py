"""One small book in all its printers, and the replies of every command, as golden files."""
