"""Generate the files of a layer from a description of changes, for `rulewright change` and the page.

`change_forms.py` has the kinds of changes with their fields, `change_text.py` formats them, `generated_example.py`
generates an example that shows the difference, `draft.py` assembles and compiles the layer.
"""
