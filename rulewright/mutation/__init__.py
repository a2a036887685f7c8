"""Whole stacks under mutation: on cards, under readings, with the examples of stacks below; what is told of it."""
