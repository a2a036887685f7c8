"""Generate the files of a layer from a description of changes, for `rulewright change` and the page.

`change_kinds.py` defines the kinds of changes, `change_text.py` formats them, `generated_example.py` generates an
example that shows the difference, `draft.py` assembles and compiles the layer.
"""
