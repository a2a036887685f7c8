"""Mutation: what is altered, and which alterations examples notice."""
