"""Proofs, positions and differences, on small planted stacks."""
