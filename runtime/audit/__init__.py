"""Audits: the steps of play are compared with the preconditions of the rules."""
