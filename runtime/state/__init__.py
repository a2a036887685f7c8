"""The state of a game: pieces, marks, tracks and the clock, changed only by events."""
