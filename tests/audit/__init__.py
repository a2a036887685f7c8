"""Audits compare executed steps with the preconditions of the rules."""
