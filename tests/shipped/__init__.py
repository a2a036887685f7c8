"""The stacks in rules/.

They compile, have no findings, pass their examples, play reproducibly, and print their books.
"""
