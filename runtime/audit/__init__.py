"""What is carried out in play, held against the preconditions of the rules."""
