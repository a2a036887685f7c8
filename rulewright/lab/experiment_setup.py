"""Build an experiment from a request: load stacks, parse seatings, choose the side that is counted."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from rulewright.games.engines import PYTHON
from rulewright.games.player_code import PlayerCode, Roster
from rulewright.games.scenarios import load_scenario, players_of
from rulewright.lab.experiment import Experiment, ExperimentStack, seating_rotations
from rulewright.system.errors import UsageError, suggestion_text
from runtime.experiment.plan import Seating
from runtime.experiment.stopping import DECIDED, EQUALITY_MARGIN, SAME, SETTLED, WIDTH, StoppingRule
from runtime.graph import nodes as graph

# A smaller difference would require more games than can be played.
LEAST_MARGIN = 0.005


def load_stacks(
    scenario: str, rules: Sequence[str], ablate: Sequence[str], packages: Sequence[Path]
) -> tuple[ExperimentStack, ...]:
    """Load every stack, and the last one without each of the rules in `ablate`; `BrokenStackError` if one fails.

    Every two stacks are compared, and each stack without a rule with the whole one.
    """
    stacks: list[ExperimentStack] = []
    requests = [(name, "") for name in (*rules,) or (None,)]
    for name, left_out in (*requests, *((requests[-1][0], label) for label in ablate)):
        loaded = load_scenario(scenario, name, packages, (left_out,) if left_out else ())
        title = name or loaded.name
        name_without = f"{title} without {left_out}" if left_out else title
        baselines = (len(requests) - 1,) if left_out else tuple(range(len(stacks)))
        stacks.append(ExperimentStack(name_without, loaded.rules, baselines))
    return tuple(stacks)


def stacks_with_baseline(graphs: Iterable[tuple[str, graph.Graph]]) -> tuple[ExperimentStack, ...]:
    """Build the stacks of an experiment from named graphs, each compared with all before it."""
    return tuple(ExperimentStack(name, rules, tuple(range(number))) for number, (name, rules) in enumerate(graphs))


def parse_seatings(
    stacks: Sequence[ExperimentStack],
    players: Sequence[str],
    *,
    swaps_sides: bool,
    player_code: Sequence[PlayerCode] = (),
) -> tuple[Seating, ...]:
    """Parse each `--players` to a seating; with `swaps_sides`, every player plays every side."""
    others = Roster(tuple(player_code)).players()
    rules = stacks[0].graph
    sides = rules.scenario.order if rules.scenario else ()
    chosen = [players_of(rules, player_list, others) for player_list in players]
    seatings = [tuple((side, names[side]) for side in sides) for names in chosen]
    if swaps_sides:
        seatings = [rotation for seating in seatings for rotation in seating_rotations(seating, sides)]
    return tuple(dict.fromkeys(seatings))


def set_up(
    stacks: tuple[ExperimentStack, ...],
    seatings: tuple[Seating, ...],
    seed: str,
    side: str | None,
    player_code: tuple[PlayerCode, ...] = (),
    engine: str = PYTHON,
) -> Experiment:
    """Build an experiment; `UsageError` for an unknown side."""
    card = stacks[0].graph.scenario
    order = card.order if card else ()
    counted_side = side or (order[0] if order else "")
    if counted_side not in order:
        raise UsageError(f"no side `{counted_side}` plays here; {suggestion_text(counted_side, order)}")
    return Experiment(stacks, seatings, seed, counted_side, player_code, engine)


def parse_stopping_rule(text: str | None, margin: str | None = None) -> StoppingRule:
    """Parse a stopping rule: a width, as a share or in percent, `decided`, `same` or `settled`; and the margin."""
    margin_share = EQUALITY_MARGIN if margin is None else _parse_share(margin)
    if not LEAST_MARGIN <= margin_share < 1:
        raise UsageError(f"`--margin {margin}`: write a difference of shares from 0.005 to below 1, such as 0.05 or 5%")
    if text is None:
        return StoppingRule(margin=margin_share)
    if text in (DECIDED, SAME, SETTLED):
        return StoppingRule(text, margin=margin_share)
    width = _parse_share(text)
    if not 0.001 <= width < 2:
        known = ", ".join(f"`{rule}`" for rule in (DECIDED, SAME, SETTLED))
        raise UsageError(
            f"`--until {text}`: write a width from 0.001 to below 2, such as 0.1 or 10%, or one of {known}"
        )
    return StoppingRule(WIDTH, width, margin_share)


def _parse_share(text: str) -> float:
    """Parse a share, also in percent; 0 if it is malformed."""
    try:
        return float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        return 0.0
