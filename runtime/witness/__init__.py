"""Searches for positions: where rules conflict or none answers, and where two stacks answer differently.

In: a graph and a suspicion of the compiler, or two graphs. Out: positions that confirm the suspicion or show the
difference, small enough to print, or nothing; that nothing was found within a bound proves nothing.

The search is a focused random walk over candidates. Read it in this order:

1. `candidate.py` is a position as plain data, with the arguments of a question; `set_up.py` sets it up and
   evaluates conditions in it. `pool.py` has the values that a graph admits.
2. `goals.py` states what is searched for, as a list of conditions. `walk.py` chooses a condition that fails and
   applies a proposal to the candidate: `repair.py` for yes-or-no expressions, `values.py` for amounts and words,
   `extension.py` for collections (`stored_values.py` is where they stand), a random change otherwise.
3. `find_witness.py` is the search for a conflict, a gap or a number out of range; `guided_search.py` and
   `behavioral_diff.py` are that for two answers.
4. `shrinking.py` removes what the finding does not need; `position_file.py` writes the rest.

Differences of play come from positions of examples (`example_corpus.py`): `paired_replay.py` plays the examples of two
graphs side by side, and `procedure_runs.py` runs procedures in positions that are searched for. `comparison.py` does
all of this for two stacks, and `change_report.py` lists each change with what became of it.
"""
