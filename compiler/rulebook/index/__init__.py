"""Ways to find a place in the book: the search, the indexes and the glossary."""
