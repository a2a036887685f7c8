"""A game at the terminal: its journal, its words, its screens."""
