"""The material of commands: layers, cards, ledgers and editions by their names, compiled once and kept."""
