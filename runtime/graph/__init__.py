"""The rule graph: the interface between compiler and runtime.

`nodes` has the classes of the graph: a vocabulary, terms with their rules, charts, procedures, examples. They are
immutable, and refer to each other by label. `operators` has one record for each operator of expressions: its type,
value, interval and phrase; `expressions` one for each class of them: its type, what it names, phrase, clause and
notation. Everything else in this package is a function of a graph or of its expressions:

- files: `canonical.py` writes a graph as canonical JSON, by the shapes of its classes in `node_shapes.py`; `digest.py`
  is the hash;
- traversal: `walk.py` visits nodes by their fields, `steps.py` the steps of procedures, `call_graph.py` and
  `closure.py` follow calls; `free_names.py`, `conjuncts.py`, `type_of.py` and `interval.py` analyze expressions;
- text: `notation.py` writes expressions as rules do; `wording.py` verbalizes them in English, with `words.py` for names
  and numbers, `phrases.py`, `set_phrases.py`, `amounts.py` and `english.py`; `templates.py` and `question_templates.py`
  have the texts that authors write;
- limits: `budget.py` counts the members of sets that an evaluation passes over.

The package imports nothing from the compiler and nothing from the rest of the runtime.
"""
