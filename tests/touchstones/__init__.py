"""The twelve touchstones of the language, and a small game with rules for them."""
