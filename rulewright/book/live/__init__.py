"""The data with which the pages of a book answer questions: a compiled module, positions, questions."""
