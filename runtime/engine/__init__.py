"""Compiled modules at work: positions are written into their memory, questions are asked there."""
