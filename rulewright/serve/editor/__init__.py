"""Support of editors: findings at their spans, meanings, declarations and uses of names, completion.

`server.py`, `name_requests.py`, `file_requests.py` and `protocol_positions.py` implement the Language
Server Protocol; the other modules are independent of it. `workspace.py` answers requests about files and places.
"""
