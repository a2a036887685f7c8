"""Generate the files of a layer from a description of changes, for `rulewright change` and the page.

`kinds.py` defines the kinds of changes, `text.py` formats them, `examples.py` generates an example that shows the
difference, `draft.py` assembles and compiles the layer.
"""
