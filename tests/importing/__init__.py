"""Foreign packages brought over: an invented one in every form, and the public facts where they are at hand."""
