"""The inputs of commands: layers, cards, ledgers and editions by name, with caches of compiled results."""
