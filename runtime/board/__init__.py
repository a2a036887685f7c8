"""The geometry of maps: hexes and their printed features."""
