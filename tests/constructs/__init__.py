"""Single constructs of the language, each on a few pieces that belong to no game."""
