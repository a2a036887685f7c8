"""A game at the terminal: what is open in readable groups, what happened, why not, and the map.

In: an `InteractiveGame` (runtime/trial), and a `Console` to read from and to write to. Nothing here prints;
rulewright/cli/terminal.py is the console.
"""
