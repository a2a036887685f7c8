"""The report of a problem: its words, its folding, its renderings."""
