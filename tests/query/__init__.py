"""The database of memoized queries, by itself."""
