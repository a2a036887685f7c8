"""Plays a graph: procedures as flat instructions, every choice of a player as a finite list.

Play itself: flatten, instructions, machine, flow, effects, playthrough, game; choices, offering, choosing, options,
search, head_order, head_completion, option_evaluator, obligations, symmetry, dice, drawing. Trying out what may follow:
trials, tryout, option_trials, routes, goal_search, goal_distance, head_search. What examples do: perform, offered,
obliged, scripted_choices, named_choice_use, misfit. Telling people what is open, why, and what came of it: labels,
open_to, permission, refusal, counterfactuals, previews, accounts.
"""
