"""Modules and saves of VASSAL: read, carried over, and written back."""
