"""The page: its server, the requests that it admits, and what a browser shows of it."""
