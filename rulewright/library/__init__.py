"""The inputs of commands: layers, boards, ledgers and editions by name, with caches of compiled results.

`stacks.py` resolves the STACK argument of a command and compiles it, `ledger.py` the catalogs of clauses, `editions.py`
the rules of an earlier day. `example_targets.py` and `selection.py` choose what a test compiles and runs.

`cache.py` is the cache on disk: a result under the hash of all its inputs, signed with the key of the user. One module
has the artifacts of each kind: `parse_archive.py` parsed files, `generated_code.py` Python, `compiled_modules.py`
machine code. docs/architecture.md lists keys and lifetimes.

`concerned_problems.py` keeps an error in the folder of one layer from being one of the others;
`finding_attribution.py` names the change behind a finding.
"""
