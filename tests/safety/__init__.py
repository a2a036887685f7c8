"""Bounds on the effects of a foreign package: on time, memory, files, output and code."""
