"""Rules in an editor."""
