"""What the book draws: positions, counters, and the colors of words."""
