"""Printed boards that are joined to a map."""
