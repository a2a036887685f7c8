"""What is wrong with a stack: proofs, examples, audits of play, mutants, and differences from its accepted state.

`checking.py` is the command `check`, `testing.py` the command `test`. `proofs.py` asks the compiler's proofs, and these
checks, which need more than one stack or the files of its layers: `unused_words.py`, `suspicious_layers.py`,
`odd_counts.py`, `unlaid_boards.py`, `stuck_offers.py`, `invariant_breaches.py`. `card_library.py` has the
problems of cards; `trace_store.py` and `proof_database.py` keep proofs. `revisions` compares with git and checksums,
`mutation` alters rules to see what the examples protect.
"""
