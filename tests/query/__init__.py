"""The database of memoized queries, without the compiler."""
