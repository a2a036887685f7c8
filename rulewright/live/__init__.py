"""What the pages of a book need to answer questions by themselves: a compiled module, positions, questions."""
