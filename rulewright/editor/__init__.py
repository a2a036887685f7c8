"""Rules in an editor: findings where they stand, what a word means, where it is written, what may stand here.

`server.py`, `names.py`, `lists.py`, `lenses.py` and `protocol_positions.py` speak the Language Server Protocol; the
others know nothing of it. `workspace.py` answers for files and places.
"""
