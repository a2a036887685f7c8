"""Examples run, rules mutated under them, and the ledger measured against the outcome."""
