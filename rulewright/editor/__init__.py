"""Rules in an editor: findings where they stand, what a word means, where it is written, what may stand here.

`workspace.py` answers for files and places; `server.py` is its voice in the Language Server Protocol, and the only file
that knows the package for it.
"""
