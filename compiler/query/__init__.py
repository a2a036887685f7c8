"""Memoized queries over symbol tables, with recorded dependencies: what an edit has computed again, and what not."""
