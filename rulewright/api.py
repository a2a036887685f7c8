"""The API of `import rulewright`: the commands as functions.

Each function has the arguments of its command, and returns the data that `--format json` prints, with the same keys.
An unknown name or an argument of a wrong type raises `UsageError`; rules with errors raise `RulesError`, which has the
findings.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from compiler.report.diagnose import diagnose
from compiler.report.diagnostic import Diagnostic
from compiler.report.render.line import diagnostic_line
from compiler.source.sentence import Severity
from rulewright.checks.mutation.mutant_text import alteration_text
from rulewright.checks.mutation.mutant_trials import MutationLimits
from rulewright.checks.mutation.protect import run_own_mutants
from rulewright.checks.proofs import list_findings
from rulewright.checks.tallies import tally_record
from rulewright.checks.testing import run_tests
from rulewright.explain.option_views import counterfactuals_data, open_options_data, option_numbers
from rulewright.explain.position_questions import ask_about_position
from rulewright.games.engines import choose_engine
from rulewright.games.player_code import ChooseFunction, fetch_players, player
from rulewright.games.scenarios import load_scenario, play_to_end, players_of, require_new_names
from rulewright.games.seeds import GAME_LIMIT, seed_text
from rulewright.lab.contrast.differences import as_data as difference_data
from rulewright.lab.contrast.differences import difference_of
from rulewright.lab.experiment_setup import parse_seatings, set_up, stacks_with_baseline
from rulewright.library.stacks import PackageSet, Stack, load_stack
from rulewright.system.argument_types import with_checked_arguments
from rulewright.system.errors import UsageError, suggestion_text
from runtime.experiment.processes import start_processes
from runtime.experiment.report import experiment_report
from runtime.graph import nodes as graph
from runtime.graph.records.differing import DifferencesRecord
from runtime.graph.records.measuring import ComparisonRecord
from runtime.graph.records.playing import FinishedGameRecord
from runtime.play.game import Game
from runtime.play.playthrough import Playthrough

MOST_JOBS = 512
__all__ = [
    "RulesError",
    "Stack",
    "UsageError",
    "ask",
    "check",
    "compare",
    "compile_stack",
    "diff",
    "indices",
    "open_to",
    "play",
    "test",
    "what_would_allow",
]


class RulesError(Exception):
    """The rules have errors, or gave no answer. `diagnostics` are the findings; the message has one per line."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        """Store the findings."""
        super().__init__("\n".join(map(diagnostic_line, diagnostics)))
        self.diagnostics = tuple(diagnostics)


@with_checked_arguments
def compile_stack(stack: str, packages: Sequence[Path] = ()) -> Stack:
    """Compile `game[+option...]`, or the folder of a layer.

    `packages` are folders that are searched for layers in addition to the shipped rules. The stack's `graph` is the
    compiled artifact; a stack with errors raises `RulesError`.
    """
    return _sound(load_stack(stack, packages))


@with_checked_arguments
def check(stack: Stack) -> list[Diagnostic]:
    """Return the findings of all proofs on a compiled stack: collisions and gaps with positions, dead rules, others."""
    _graph(stack)
    return list_findings(stack)


@with_checked_arguments
def ask(stack: Stack, position: str | Path, question: str, depth: int = 0, side: str = "") -> dict[str, Any]:
    """Answer a question about the position in a file: `value`, `because` and `not`, like `rulewright ask`.

    Up to `depth` levels of the questions behind the answer are explained too. A question that hangs on secrets is
    answered for a `side`, or for the `umpire`, who knows all.
    """
    if not question.strip():
        raise UsageError("the question is empty")
    result = ask_about_position(_sound(stack), Path(position), question, depth, side)
    if result.answer is None:
        raise RulesError(result.diagnostics)
    return result.answer.data


@with_checked_arguments
def test(stack: Stack, *, mutate: bool = False, here: bool = False) -> dict[str, Any]:  # noqa: PT028 -- not a test
    """Run the examples in a stack's layers: `passed`, `failed`, `examples`, `stacks`, `left_out`, `failures`.

    Each runs under the stack it specifies; with `here` only those for exactly this stack. With `mutate`, the surviving
    mutants are listed under `unprotected`.
    """
    _graph(stack)
    package_set = PackageSet(stack.library, ())
    tested = run_tests(package_set, stack.name, here=here)
    if problems := [each for group in tested.groups for each in group.problems]:
        raise RulesError(diagnose(problems, stack.texts))
    found = run_own_mutants(package_set, stack.name, (), MutationLimits()) if mutate else None
    failed = [each for group in tested.groups for each in group.failed]
    return {
        **tally_record(tested),
        "failures": [diagnostic.message for diagnostic in diagnose(failed, stack.texts)],
        "unprotected": [alteration_text(survivor.mutant, survivor.rules) for survivor in found.survivors]
        if found
        else [],
    }


@with_checked_arguments
def diff(a: Stack, b: Stack, term: str = "") -> DifferencesRecord:
    """Return the differences in answers of two stacks: `terms`, each with `groups` and a position for each group.

    `behavior` are the differences in behavior: the sequence of play, procedures, and plays with different results.
    """
    graphs = _graph(a), _graph(b)
    known = sorted({*graphs[0].terms, *graphs[1].terms})
    if term and term not in known:
        raise UsageError(f"there is no term `{term}`; {suggestion_text(term, known)}")
    return difference_data(difference_of(a, b, term), (a.name, b.name), graphs)


@with_checked_arguments
def play(
    scenario: str,
    rules: str | None = None,
    seed: str | int = 1,
    players: str = "random",
    packages: Sequence[Path] = (),
    functions: Mapping[str, ChooseFunction] = MappingProxyType({}),
) -> FinishedGameRecord:
    """Play one game of a situation card: `winner`, `level`, `turns`, `decisions`, `state_hash`.

    The game is determined by the card, rules, players and seed, on any machine. `functions` are external players by
    name; rulewright/games/player_code.py documents their arguments and results.
    """
    stack = _sound(load_scenario(scenario, rules, packages))
    require_new_names(list(functions))
    others = {name: player(choose) for name, choose in functions.items()}
    played = play_to_end(_graph(stack), players_of(_graph(stack), players, others), seed_text(seed), others=others)
    if played.data is None:
        raise RulesError(played.diagnostics(stack.texts))
    return played.data


@with_checked_arguments
def open_to(game: Game, playthrough: Playthrough, piece: str, *, refused: bool = True) -> dict[str, Any]:
    """Return the open options of a piece in a playthrough.

    `rulewright.games.scenarios.game_of(stack.graph)` builds a game. The playthrough is at a decision and is not
    changed; only what the side of the decision may know is used.

    `hexes`: those that the piece reaches, cheapest first: `hex`, `route` (the hexes of the route), `cost` and `left` as
    text and as `cost_number` and `left_number` (None if no account of the rules states the rest), `stops` (whether it
    may end its move there), `asks_others` (another player has a decision on the route and is assumed to decline),
    `others` (other actions from there), and `take` (the options of the move: see `indices`). `acts`: other open actions
    with the piece as the actor or the target: `action` (its name in the rules), `does` (as text), `chosen` (each
    `name`, `text`, `kind` "hex", "piece" or "", `names`), `throws` (dice decide), `moves_to` (a hex, if the dice
    allow it, or None), `take`, and `preview` (None without dice): `sheets`, each with `text`, `fields`, `cites` and
    `chances` (`result`, `chance` from 0 to 1, `text`). `refused`: the actions in which the piece can take no part:
    `action`, `does`, `why` (the first obstacle) and its `rules` (`label`, `says`, `prose`, `cites`); omitted with
    `refused=False`. `cut`: the budget of options was exhausted, and some may be missing; `tried` is the number of
    tried options.

    An unknown name, or a game that is over, raises `UsageError`.
    """
    return open_options_data(game, playthrough, piece, refused=refused)


@with_checked_arguments
def indices(game: Game, playthrough: Playthrough, take: Sequence[Sequence[Any]]) -> list[int]:
    """Return the arguments of `game.apply`, one per decision, for a `take` of `open_to`.

    Forced decisions are omitted. The result is shorter than `take` if another player has a decision before its end.
    """
    return list(option_numbers(game, playthrough, take))


@with_checked_arguments
def what_would_allow(game: Game, playthrough: Playthrough, words: Sequence[str]) -> dict[str, Any]:
    """Return the counterfactuals of something that is refused: `["m4-1.1", "0804"]`, in any order.

    `refused`: for each refused action that matches the words: `action`, `does`, `why`, `rules` (as in `open_to`), and
    `changes`: each a list of one or two clauses ("m4-1.1 is not fired"). With these changes, and all else unchanged,
    the action is open, which was verified. `tried` is the number of tried changes; `cut`: the budget was exhausted.
    Empty if nothing is refused; `UsageError` if no action takes all the words. `looked_at` describes which changes are
    tried.
    """
    return counterfactuals_data(game, playthrough, words)


@with_checked_arguments
def compare(  # noqa: PLR0913 -- the options of an experiment
    scenario: str,
    rules: Sequence[str],
    games: int = 200,
    *,
    players: str = "greedy",
    seed: str | int = 1,
    side: str | None = None,
    jobs: int = 1,
    packages: Sequence[Path] = (),
    progress: Callable[[int, int], None] = lambda _done, _of: None,
    player_code: Sequence[str] = (),
    engine: str = "",
) -> ComparisonRecord:
    """Play a situation card many times under several stacks, with common random numbers.

    `player_code` are external players, each `module:function`. Returns `verdicts`, sentences with the findings and the
    uses of changes, `arms`, each with its share of wins and an interval, and the `difference` of two arms. The `engine`
    "native" uses compiled code where possible, "python" does not; the default is native if wasmtime runs here. The
    result does not depend on it.
    """
    _require_games(games)
    if not rules:
        raise UsageError("`rules` is empty: name the stacks to compare")
    if not 1 <= jobs <= MOST_JOBS:
        raise UsageError(f"{jobs} jobs: from 1 to {MOST_JOBS} processes play")
    code = fetch_players(player_code)
    stacks = [_sound(load_scenario(scenario, rule, packages)) for rule in rules]
    experiment_stacks = stacks_with_baseline((name, _graph(stack)) for name, stack in zip(rules, stacks, strict=True))
    seating = parse_seatings(experiment_stacks, [players], swaps_sides=False, player_code=code)
    experiment = set_up(experiment_stacks, seating, seed_text(seed), side, code, choose_engine(engine)[0])
    with start_processes(jobs) as pool:
        return experiment_report(experiment.run(games, pool, progress))


def _require_games(games: int) -> None:
    if not 1 <= games <= GAME_LIMIT:
        raise UsageError(f"{games:,} games: play one or more, and {GAME_LIMIT:,} at most")


def _graph(stack: Stack) -> graph.Graph:
    """Return the graph of a stack; `RulesError` if it has errors."""
    found = _sound(stack).graph
    assert found is not None
    return found


def _sound(stack: Stack) -> Stack:
    """Return a stack; `RulesError` if it has errors."""
    if stack.is_broken:
        raise RulesError([diagnostic for diagnostic in stack.diagnostics if diagnostic.severity is Severity.ERROR])
    return stack
