"""Plays a graph: procedures step by step, as they are written, every choice of a player as a finite list.

- Play itself: programs.py, pending_items.py, machine.py, step_closures.py, primitive_effects.py, playthrough.py,
  game.py, added_procedures.py.
- Options: choices.py, options.py, completion_search.py, option_evaluator.py, obligations.py; chance: dice.py,
  random_draw.py.
- Trying out what may follow: choice_subsets.py, tryout_playthrough.py, option_trials.py, routes.py, goal_search.py,
  piece_choices.py.
- What examples do: perform.py, scripted_heads.py, nested_offers.py, scripted_choices.py,
  named_choice_use.py, choice_mismatch.py.
- Telling people what is open, why, and what came of it: labels.py, piece_options.py, permission.py, refusal.py,
  blocking_reasons.py, counterfactuals.py, previews.py, accounts.py.
"""
