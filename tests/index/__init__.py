"""The semantic index of a stack."""
