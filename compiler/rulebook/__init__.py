"""The printed book, generated from the rule graph that the runtime executes, so that no text exists twice.

1. `outline.py` numbers sections, cases, rules and exceptions under the tree of `headings.py`; `printed_places.py`
   computes where each thing is printed, `register.py` keeps numbers that an earlier edition has assigned.
2. `sentences.py` writes one sentence for a rule, question or ruling, `steps.py` and `procedures.py` the text of
   procedures, of which `table.py` has the part that players perform; `charts.py`, `examples.py` and
   `sequence_of_play.py` write the rest. `examples.py` prints answers of the engine (`evidence.py`), not those that
   authors expect.
3. `contents.py` computes the contents of all pages once. `book.py` writes them as a site with the templates of
   `templates/`, `markdown.py` as pages for wikis, `card.py` as the quick-reference card.
4. `changes.py` and its neighbors compute the differences from another stack as a player would list them, for the
   `booklet.py`; `errata.py` lists them by date.

`links.py` has the address of everything that is printed.
"""
