"""Modules and saves of VASSAL: import, mapping and export."""
