"""A change of a stack, described by values, as the text files of a layer: what `rulewright change` and the page write.

`kinds.py` says what can be changed, `text.py` writes it, `examples.py` begins an example that shows the difference,
`draft.py` puts a layer together and compiles it.
"""
