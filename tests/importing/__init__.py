"""Imports of foreign packages: an invented one in both forms, and the public facts where they are installed."""
