"""The API of `import rulewright`: the commands as functions.

Each takes what its command takes and returns the data that `--format json` prints, with the same keys.
An unknown name raises `UsageError`; rules with errors raise `RulesError`, which has the findings.
"""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

from compiler.report.diagnose import diagnose
from compiler.report.diagnostic import Diagnostic, Severity
from compiler.report.render.line import diagnostic_line
from rulewright.bootstrap import command_for
from rulewright.contrast.differences import as_data as difference_data
from rulewright.contrast.differences import difference_of
from rulewright.engines import NATIVE, available_engine, choose_engine
from rulewright.errors import UsageError
from rulewright.games import game_of, load_scenario, players_of
from rulewright.games import play as play_game
from rulewright.lab.experiment_setup import held_against_the_first, parse_seatings, set_up
from rulewright.library.stacks import PackageSet, Stack, load_stack
from rulewright.many_games import play_many as play_series
from rulewright.many_games import series_data
from rulewright.mutation.mutant_text import alteration_text
from rulewright.mutation.mutant_trials import Limits
from rulewright.mutation.protect import protect
from rulewright.option_views import counterfactuals_data, open_options_data, option_numbers
from rulewright.player_code import Choose, fetch_player_code, player
from rulewright.proofs import list_findings
from rulewright.questions import ask as ask_stack
from rulewright.tallies import as_data
from rulewright.testing import run_tests
from runtime.experiment.processes import start_processes
from runtime.experiment.report import experiment_report
from runtime.graph import nodes as graph
from runtime.play.game import Game
from runtime.play.playthrough import Playthrough

__all__ = [
    "RulesError",
    "Stack",
    "UsageError",
    "ask",
    "check",
    "compare",
    "compile_stack",
    "diff",
    "env",
    "indices",
    "open_to",
    "parallel_env",
    "play",
    "test",
    "what_would_allow",
]


class RulesError(Exception):
    """The rules have errors, or could not answer. `diagnostics` says which; printed, one a line."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        """Keep the findings."""
        super().__init__("\n".join(map(diagnostic_line, diagnostics)))
        self.diagnostics = tuple(diagnostics)


def compile_stack(stack: str, packages: Sequence[Path] = ()) -> Stack:
    """Compile `game[+option...]`, or the folder of a layer.

    `packages` are folders to look for layers in, besides the rules that come along. The stack's `graph`
    is the compiled artifact; a stack with errors raises `RulesError`.
    """
    return _sound(load_stack(stack, packages))


def check(stack: Stack) -> list[Diagnostic]:
    """Prove what can be proved of a compiled stack: collisions and gaps with positions, dead rules, and the rest."""
    _graph(stack)
    return list_findings(stack)


def ask(stack: Stack, position: str | Path, question: str, depth: int = 0) -> dict[str, Any]:
    """Answer a question about the position in a file: `value`, `because` and `not`, as `rulewright ask` does.

    `depth` levels of what the answer rests on are explained too.
    """
    asked = ask_stack(_sound(stack), Path(position), question, depth)
    if asked.reasons is None:
        raise RulesError(asked.diagnostics)
    return asked.reasons.data


def test(stack: Stack, *, mutate: bool = False, here: bool = False) -> dict[str, Any]:  # noqa: PT028 -- not a test
    """Run the examples that a stack's layers have: `passed`, `failed`, `examples`, `stacks`, `left_out`, `failures`.

    Each runs under the stack it names; with `here` only those for exactly this stack. With `mutate` also list under
    `unprotected` what was altered without any example noticing.
    """
    _graph(stack)
    package_set = PackageSet(stack.library, ())
    tested = run_tests(package_set, stack.name, here=here)
    if problems := [each for group in tested.groups for each in group.problems]:
        raise RulesError(diagnose(problems, stack.texts))
    found = protect(package_set, stack.name, (), Limits()) if mutate else None
    failed = [each for group in tested.groups for each in group.failed]
    return {
        **as_data(tested),
        "failures": [diagnostic.message for diagnostic in diagnose(failed, stack.texts)],
        "unprotected": [alteration_text(each.mutant, each.rules) for each in found.survivors] if found else [],
    }


def diff(a: Stack, b: Stack, term: str = "") -> dict[str, Any]:
    """List where two stacks answer differently: `terms`, each with `groups` and a position for each group.

    `happening` is what happens otherwise: the sequence of play, procedures, and plays that end in two positions.
    """
    graphs = _graph(a), _graph(b)
    return difference_data(difference_of(a, b, term), (a.name, b.name), graphs)


def play(
    scenario: str,
    rules: str | None = None,
    seed: str | int = 1,
    players: str = "random",
    packages: Sequence[Path] = (),
    functions: Mapping[str, Choose] = MappingProxyType({}),
) -> dict[str, Any]:
    """Play one game of a situation card: `winner`, `level`, `turns`, `decisions`, `state_hash`.

    Same card, rules, players and seed: same game, on any machine. `functions` are players of your own by
    name; rulewright/player_code.py says what they are handed and what they return.
    """
    stack = _sound(load_scenario(scenario, rules, packages))
    others = {name: player(choose) for name, choose in functions.items()}
    played = play_game(_graph(stack), players_of(_graph(stack), players, others), str(seed), others=others)
    if played.data is None:
        raise RulesError(played.diagnostics(stack.texts))
    return played.data


def play_many(  # noqa: PLR0913 -- what the command is given
    scenario: str,
    games: int,
    rules: str | None = None,
    seed: str | int = 1,
    players: str = "random",
    packages: Sequence[Path] = (),
    engine: str = "",
) -> dict[str, Any]:
    """Play many games of a situation card, with the seeds SEED-0, SEED-1 .., in compiled code where that can be.

    `games`, in order: `seed`, `winner` (None: no side), `level`, `turns`, `decisions`, `fault` ("" or what broke).
    `wins` counts them by side, "" for no side. `by_machine`: so many the module did not play to their end; `why`.
    `engine` "python" plays all of them by the machine: same games, slower. "native" needs wasmtime (extra `native`);
    left out, it is native where that is installed.
    """
    stack = _sound(load_scenario(scenario, rules, packages))
    return series_data(
        play_series(_graph(stack), players_of(_graph(stack), players), str(seed), games, choose_engine(engine)[0])
    )


def open_to(game: Game, playthrough: Playthrough, piece: str, *, refused: bool = True) -> dict[str, Any]:
    """Return what is open to a piece, where a game stands: `rulewright.games.game_of(stack.graph)` makes a game.

    The playthrough stands at a decision; nothing in it is changed, and only what the side that is asked may know is
    used.

    `hexes`: those that the piece reaches, cheapest first: `hex`, `route` (the hexes on the way), `cost` and `left` in
    words and as `cost_number` and `left_number` (None where no account of the rules tells what is left), `stops`
    (whether it may stay there), `asks_others` (another player is asked on the way and is assumed to decline), `others`
    (what else it could do from there), and `take` (the options that bring it there: see `indices`).
    `acts`: what else is open with the piece in it, as who acts or as the target: `action` (its name in the rules),
    `does` (in words), `chosen` (each `name`, `said`, `kind` "hex", "piece" or "", `names`), `throws` (dice decide),
    `moves_to` (a hex or None), `take`, and `preview` (None without dice): `sheets`, each with `text`, `fields`, `cites`
    and `chances` (`result`, `chance` from 0 to 1, `said`).
    `refused`: what the piece can have no part in: `action`, `does`, `why` (the first thing in the way) and its `rules`
    (`label`, `says`, `prose`, `cites`); left out with `refused=False`.
    `cut`: so many options were tried that some may be missing; `tried` counts them.

    An unknown name, or a game that is over, raises `UsageError`.
    """
    return open_options_data(game, playthrough, piece, refused=refused)


def indices(game: Game, playthrough: Playthrough, take: Sequence[Sequence[Any]]) -> list[int]:
    """Return what to hand to `game.apply`, decision by decision, for a `take` of `open_to`.

    Decisions that play takes by itself are left out. Shorter than `take` where another player is asked before its end.
    """
    return list(option_numbers(game, playthrough, take))


def what_would_allow(game: Game, playthrough: Playthrough, words: Sequence[str]) -> dict[str, Any]:
    """Return what would allow something that is refused, where a game stands: `["m4-1.1", "0804"]`, in any order.

    `refused`: for each action that takes the words and is refused: `action`, `does`, `why`, `rules` (as in `open_to`),
    and `changes`: each a list of one or two clauses ("m4-1.1 is not fired"). With these so and all else as it is, it is
    open: each was tried. `tried` counts what was, `cut`: more could have been. Empty if nothing is refused. `looked_at`
    says what is changed for that, and what is not.
    """
    return counterfactuals_data(game, playthrough, words)


def env(
    scenario: str, rules: str | None = None, seed: str | int = 1, packages: Sequence[Path] = (), **options: Any
) -> Any:
    """Make a situation card a PettingZoo environment (extra `rl`); rulewright/environment.py says how it is used.

    `max_cycles` breaks games off, `waits` lets all agents step in turn, `lenient` mends steps that are not legal.
    """
    environment = _learners("rulewright.environment")
    stack = _sound(load_scenario(scenario, rules, packages))
    return environment.Environment(game_of(_graph(stack)), str(seed), **options)


def parallel_env(
    scenario: str, rules: str | None = None, seed: str | int = 1, packages: Sequence[Path] = (), **options: Any
) -> Any:
    """Return the parallel form of an environment: all agents step at once, those that are not asked wait."""
    made = env(scenario, rules, seed, packages, **{**options, "waits": True})
    return _learners("rulewright.environment").parallel(made)


def _learners(module: str) -> ModuleType:
    """Import what only learners need."""
    try:
        return import_module(module)
    except ImportError as missing:
        raise UsageError(f"environments need PettingZoo ({missing}): {command_for('rl')}") from None


def vector_env(
    scenario: str, rules: str | None = None, games: int = 16, *, seed: int | str = 1, packages: Sequence[Path] = ()
) -> Any:
    """Make many games at once for learners, arrays in and out: rulewright/vector.py says what they mean.

    All are played in compiled code: it needs the extras `rl` and `native`, and `UsageError` says so.
    """
    available_engine(NATIVE)
    module = _learners("rulewright.vector")
    stack = _sound(load_scenario(scenario, rules, packages))
    return module.VectorEnvironment(game_of(_graph(stack)), games, str(seed))


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
) -> dict[str, Any]:
    """Play a situation card many times under several stacks, game by game with the same dice.

    `player_code` are players from outside, each `module:function`. Returns `verdicts`, which say in words what was
    found and what was tried of the changes, `arms`, each with its share of wins and an interval, and the `difference`
    of two arms. `engine` "native" plays in compiled code what that can play, "python" nothing; left out, it is native
    where wasmtime is installed. The result is the same.
    """
    code = tuple(map(fetch_player_code, player_code))
    stacks = [_sound(load_scenario(scenario, each, packages)) for each in rules]
    made = held_against_the_first((name, _graph(stack)) for name, stack in zip(rules, stacks, strict=True))
    seating = parse_seatings(made, [players], both=False, player_code=code)
    experiment = set_up(made, seating, str(seed), side, code, choose_engine(engine)[0])
    with start_processes(jobs) as hands:
        return experiment_report(experiment.run(games, hands, progress))


def _graph(stack: Stack) -> graph.Graph:
    """Take the graph of a stack that has one."""
    found = _sound(stack).graph
    assert found is not None
    return found


def _sound(stack: Stack) -> Stack:
    """Refuse a stack with errors."""
    if stack.is_broken:
        raise RulesError([each for each in stack.diagnostics if each.severity is Severity.ERROR])
    return stack
