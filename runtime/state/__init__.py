"""A position in play: pieces, marks, notes and the clock, changed only by events."""
