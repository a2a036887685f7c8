"""Where the two games of a pair diverge, and why: other rules, or a player that chooses otherwise.

In: an experiment, and the seed of a pair. Out: a record for each of its differences, with sentences. `replay --rules`
has the same sentences about a recorded game.
"""

from collections.abc import Iterator
from dataclasses import replace

from rulewright.games.player_code import Roster
from rulewright.games.scenarios import changes_behind, game_of
from rulewright.lab.experiment import Experiment
from rulewright.system.errors import UsageError
from runtime.experiment.game_outcome import Outcome
from runtime.experiment.plan import Seating, play_row
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.answer_errors import Unanswered
from runtime.graph.budget import budget_limit, limited_budget
from runtime.graph.english import agreeing_verb
from runtime.graph.records.measuring import PairDivergenceRecord
from runtime.play.rule_faults import BrokenRules
from runtime.trial.divergence import PREFERENCE, Divergence, divergence_of_players
from runtime.trial.replay import ReplayMismatch

# A player in Python may pass over more sets at a decision than the same player in a module.
MORE_BUDGET = 20


def pair_divergences(experiment: Experiment, seed: str) -> list[PairDivergenceRecord]:
    """Return where the games of a seed diverge, for each difference with each seating; `UsageError` for others."""
    begin, _, number = seed.rpartition("-")
    if begin != experiment.seed or not number.isdecimal():
        raise UsageError(f"`--divergence {seed}`: the games of this experiment have seeds such as {experiment.seed}-7")
    # Who wins does not depend on whether uses are counted, for which other modules are compiled.
    row = play_row(replace(experiment, counted_games=0).plan(), int(number))
    return [
        _pair_divergence(experiment, seating, (pairing.first, pairing.second), games)
        for pairing in experiment.pairings()
        for seating, games in zip(experiment.seatings, row, strict=True)
    ]


def _pair_divergence(
    experiment: Experiment, seating: Seating, numbers: tuple[int, int], games: tuple[Outcome, ...]
) -> PairDivergenceRecord:
    first, second = (experiment.stacks[number] for number in numbers)
    first_game, second_game = (games[number] for number in numbers)
    names = dict(seating)
    found, unknown = None, ""
    try:
        with limited_budget(MORE_BUDGET * budget_limit()):
            both_games = game_of(first.graph), game_of(second.graph)
            found = divergence_of_players(Roster(experiment.player_code), names, first_game.seed, both_games)
    except (BrokenRules, Unanswered) as fault:
        unknown = f"where the games differ is not known: {fault}"
    labels = changes_behind(first.graph, second.graph, found) if found else []
    first_text, second_text = (_result_text(game, first.graph) for game in (first_game, second_game))
    results = f"{first_text} under {first.name}, and {second_text} under {second.name}"
    if first_text == second_text:
        results = f"{first_text} under both rules"
    parting = f"the games differ {place_text(found, first.graph)}" if found else unknown or "the games are the same"
    says = [f"seed {first_game.seed}: {results}; {parting}"]
    if found:
        says += divergence_sentences(found, (first.name, second.name), labels, names.get(found.side, ""))
    return {
        "rules": second.name, "than": first.name, "players": ",".join(names.values()), "seed": first_game.seed,
        "winners": [first_game.winner or None, second_game.winner or None], "step": found.step if found else None,
        "what": found.kind if found else None, "changed": labels, "says": says,
    }  # fmt: skip


def _result_text(game: Outcome, rules: graph.Graph) -> str:
    if game.fault:
        return "the rules break"
    winner = words.side(game.winner, rules.vocabulary) if game.winner else "nobody"
    return f"{winner} {agreeing_verb(winner, 'wins')}"


def place_text(found: Divergence | ReplayMismatch, rules: graph.Graph) -> str:
    """Return the decision from which on games differ."""
    question = f", {words.side(found.side, rules.vocabulary)}: {found.question}" if found.side else ""
    return f"from step {found.step} on (turn {found.turn}{question})"


def divergence_sentences(
    found: Divergence, stacks: tuple[str, str], labels: list[str], player: str = ""
) -> Iterator[str]:
    """Yield how games diverge, and which of the changed rules, `labels`, take part in it."""
    first, second = stacks
    yield from _difference_sentences(found, stacks, player)
    cause = found.cause
    if cause is not None and cause.question:
        yield f"{cause.question}: {cause.answer_here} under {first}, {cause.answer_there} under {second}"
    if labels:
        taking_part = "that this preference depends on" if found.kind == PREFERENCE else "that apply in this step"
        yield f"changed rules {taking_part}: {', '.join(labels)}"
    elif found.kind == PREFERENCE:
        reason = (
            "wants to be elsewhere (`compare --all` lists its aims)" if player == "greedy" else "looks further ahead"
        )
        yield f"no change applies in this step, nor in what `preferring` asks: {player} {reason}"
    else:
        yield f"no change applies in this step itself; `rulewright diff {first} {second}` lists all"


def _difference_sentences(found: Divergence, stacks: tuple[str, str], player: str) -> Iterator[str]:
    """Yield what differs at the decision where games diverge."""
    here, there = (", ".join(options) for options in (found.only_here, found.only_there))
    match found.kind:
        case "state":
            yield "the same options, in another position"
        case "options" | "question":
            # The question of an offer is the list of its actions.
            lists = [options.removeprefix("offer ").split(", ") for options in (here, there)]
            for stack, options, others in zip(stacks, lists, reversed(lists), strict=True):
                if only := ", ".join(option for option in options if option not in others):
                    yield f"only under {stack}: {only}"
        case "choice":
            yield "the recorded choice is not among the options"
        case kind:
            differing = {
                PREFERENCE: f"the position and the options are the same; {player} chooses",
                "side": "the next to choose is",
            }.get(kind, "next comes")
            yield f"{differing} {here} under {stacks[0]}, and {there} under {stacks[1]}"
