"""Stage 2: it assembles one stack from its layers, with relations between rules as edges.

In: the statements of a library's layers, and a request as `game+option+dispute=reading`. Out: a `LayeredStack`
(`nodes.py`), in which each label has one definition, or the findings (`findings/`, R03xx). `from_source.py` runs
the steps:

1. `layer_selection.py` chooses the layers: those of the request, all that they are based on, and joint layers.
   `chosen_readings.py` decides the disputes.
2. `catalog.py` collects the statements by label, and finds labels that are declared twice.
3. `relations.py` converts exceptions, replacements and suppressions to edges from defeater to defeated.
4. `procedure_table.py` has the procedures and phases. `replaced_procedures.py` and `locate_amendments.py` apply
   changes to them in the order of the layers, with `apply_amendments.py`, `wrapping.py` and `step_selectors.py`;
   `amendment_log.py` finds changes that conflict.
5. `tables.py` merges charts cell by cell, `counters.py` unit charts, `cards.py` the cards of situations.
6. `citations.py` checks each citation against the registry of sources.
7. `examples.py` decides which examples run under the stack, and which under one inside it.

The result is independent of the order in which files are read.
"""
