"""A game at the terminal: open options in groups, the log of events, explanations of refusals, and the map.

In: an `InteractiveGame` (runtime/trial), and a `Console` to read from and to write to. This package does not print;
rulewright/cli/terminal.py implements the console.
"""
