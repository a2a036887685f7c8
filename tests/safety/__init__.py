"""What a stranger's package must not do."""
