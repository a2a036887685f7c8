"""Mutation testing of graphs: graphs altered in one place each, and which of them the examples distinguish."""
