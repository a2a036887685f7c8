"""Players: policies that map a decision to one of its options."""
