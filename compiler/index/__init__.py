"""The semantic index: the symbol of each name in a stack's files, with its declarations and uses."""
