"""Experiments: many games of one scenario under two stacks, and the size of the difference.

`plan.py` turns an `ExperimentPlan` into games: game n has the same seed under every stack and with every seating,
so that games stay paired as long as the same is done in them. `native_series.py` plays them in a compiled module,
`game_outcome.py` in Python; `processes.py` and `cluster.py` distribute the batches, and `result_lines.py` stores
them as lines of JSON.

`tally.py` counts games as they complete. Statistics read only these counts: `sequential_evidence.py` and
`equivalence.py` are valid after every game, so that `stopping.py` may end an experiment early; `share_intervals.py`
has intervals for shares, and `joint_claims.py` and `multiple_tests.py` what may be claimed of several at once.
`side_difference.py`, `level_difference.py` and `leads.py` are the differences between the stacks, `change_use.py`
tells whether the players used what is changed.

`summary.py` collects all of this. `verdict.py`, `duel_verdict.py` and `change_use_text.py`
format it as text, `report.py` as JSON.
"""
