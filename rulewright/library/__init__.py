"""What there is to work with: layers, cards, ledgers and editions as somebody names them, compiled once and kept."""
