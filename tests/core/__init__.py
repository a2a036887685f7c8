"""The core and the modules made of it."""
