"""Rules compared with an earlier revision."""
