"""Steps carried out in play against the preconditions of the rules."""
