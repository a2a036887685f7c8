"""The printed book of a stack: the evidence of its examples, its files, and the data of its interactive pages."""
