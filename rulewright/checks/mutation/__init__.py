"""Mutation testing of stacks: on cards, under readings, with the examples of stacks below, and its reports."""
