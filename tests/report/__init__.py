"""What becomes of a problem: its words, its folding, its renderings."""
