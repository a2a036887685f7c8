"""Rulewright: compile the rules of a board wargame, ask them, play them, print them.

Importing this costs nothing, and any Python can parse it: `python3 -m rulewright` passes through
here before it knows whether the packages it needs, or even the right Python, are present.
"""

__version__ = "0.1.0"
