"""The core: a typed, first-order intermediate representation of terms, made from the rule graph.

`ir` has its nodes, `representation` the machine types of values, `terms` lowers terms with their rules, `expressions`
what they ask, `charts` charts; `text` prints it. Back ends read nothing else of the rules.
"""
