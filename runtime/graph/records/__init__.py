"""The records that commands reply: what `--format json` prints, as typed dictionaries.

Out: a class for each shape, whose docstring says what each key has. docs/json.md and the schemas beside it are written
from them. Keys are a promise: more may be added; without one that is taken away or changed, scripts would break.
"""
