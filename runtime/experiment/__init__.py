"""Experiments: many games of one scenario under two stacks, and the size of the difference.

`plan.py` turns an `ExperimentPlan` into games: game n has the same seed under every stack and with every seating,
so that games stay paired as long as the same is done in them. `native_series.py` plays them in a compiled module,
`game_outcome.py` in Python; `processes.py` distributes the batches, and `result_lines.py` stores them as lines of JSON.

`tally.py` counts games as they complete, and `duel.py` those of players who exchange sides. Everything that is claimed
rests on these counts and on one interval, that of `mean_interval.py`: it holds after every game, so that `stopping.py`
may end an experiment early, and it shares its error among all that one experiment looks at. `differences.py` applies it
to what stacks change in wins, draws and levels, `change_use.py` tells whether the players used what is changed.

`summary.py` collects all of this. `verdict.py` and `change_use_text.py` format it as text, `report.py` as JSON.
"""
