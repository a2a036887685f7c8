"""A game at the terminal: what is open in readable groups, what happened, why not, and the map.

In: a `Sitting` and something to console with. Nothing here prints; rulewright/cli/play.py lends a screen.
"""
