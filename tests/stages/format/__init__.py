"""How texts are laid out."""
