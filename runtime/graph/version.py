"""The version of the graph's form. It changes whenever a node class does."""

VERSION = 14
