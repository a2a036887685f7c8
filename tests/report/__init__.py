"""The report of a problem: its words, how findings are merged, its renderings."""
