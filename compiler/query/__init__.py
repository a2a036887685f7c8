"""Memoized queries over symbol tables with recorded dependencies: incremental compilation."""
