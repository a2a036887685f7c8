"""Mutation: which mutants are generated, and which of them examples detect."""
