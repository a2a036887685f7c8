"""The version of the graph format, which changes with every node class."""

VERSION = 22
