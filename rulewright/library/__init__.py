"""The inputs of commands: layers, cards, ledgers and editions by name, with caches of compiled results.

`stacks.py` resolves the STACK argument of a command and compiles it, `card_library.py` does so for cards,
`ledger.py` for the catalogs of clauses, `editions.py` for the rules of an earlier day. `example_targets.py` and
`selection.py` choose what a test compiles and runs.

`cache.py` is the cache on disk: a result under the hash of all its inputs, signed with `user_key.py`. One module
has the artifacts of each kind: `parse_archive.py` parsed files, `generated_code.py` Python, `compiled_modules.py`
machine code, `trace_store.py` and `proof_database.py` proofs. docs/architecture.md lists keys and lifetimes.

Checks that need more than one stack, or the files of its layers, are here as well: `unused_words.py`,
`suspicious_layers.py`, `odd_counts.py`, `unlaid_boards.py`, `stuck_offers.py`,
`invariant_breaches.py`. `concerned_problems.py` keeps an error in the folder of one layer from being one of the
others; `finding_attribution.py` names the change behind a finding.
"""
