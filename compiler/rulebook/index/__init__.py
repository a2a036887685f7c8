"""How a reader finds a place: the search, the indexes and the glossary."""
