"""The parts that let the pages of a book answer questions: a compiled module, positions, questions."""
