"""The core, its passes, and the modules compiled from it."""
