"""A game at the terminal: its set-up, the numbered options, and the answers to what the player types.

In: an `InteractiveGame` (runtime/trial), and a `Console` to read from and to write to. This package does not print;
rulewright/serve/cli/terminal.py implements the console.
"""
