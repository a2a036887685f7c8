"""Games of situation cards: loading them, their players and seeds, playing, and the file of a recorded game."""
