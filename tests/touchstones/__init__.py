"""The twelve touchstones of the language, and a small game that hosts them."""
