"""Reported results of a situation: reading of files, and comparison with the simulated games."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from compiler.layered.layer_selection import layer_names_of
from compiler.layered.stack_request import parse_request
from compiler.report.diagnose import diagnose
from compiler.report.render.line import diagnostic_line
from compiler.source import nodes as source
from compiler.source.nodes import ReportedGame
from compiler.source.package import read_document
from rulewright.errors import UsageError, suggestion_text
from rulewright.lab.experiment_sentences import interval_text, p_value_text, percent
from rulewright.library.stack_names import named_stack
from rulewright.library.stacks import PackageSet, open_packages
from runtime.experiment.report import interval_ends, rounded
from runtime.experiment.reported_results import OutcomeCount, ReportedArm, Shares, compare_reported
from runtime.graph import nodes as graph
from runtime.graph.nodes import Scale

NO_WINNER = "nobody"


@dataclass(frozen=True, slots=True)
class ReportedResults:
    """The reported games of a situation, and the packages that define the rules they were played under."""

    games: tuple[OutcomeCount, ...]
    package_set: PackageSet

    def rules_key(self, stack: str) -> Hashable:
        """Return what identifies rules: all layers of a stack, however it names them, and its readings."""
        try:
            request = parse_request(named_stack(stack)[0])
        except UsageError:  # A stack in a folder, without a rule: nobody can report games under that name.
            return stack
        layers = layer_names_of(self.package_set.library, request.name)
        return layers.union(request.layers), frozenset(request.readings)  # With layers that do not exist.

    def compare(self, arms: Iterable[ReportedArm], sides: Sequence[str]) -> tuple[Shares, ...]:
        """Compare the wins of each side in each arm with those in the reported games of its rules."""
        return compare_reported(arms, sides, self.games, self.rules_key)

    def sentences(self, shares: Sequence[Shares], stacks: Iterable[str]) -> Iterator[str]:
        """Yield the comparison of each arm with the reported results, and what is not compared."""
        yield "reported results beside these"
        for comparison in shares:
            yield from _comparison_sentences(comparison, len(shares))
        played = set(map(self.rules_key, stacks))
        unplayed_games = Counter[str]()
        for each in self.games:
            if self.rules_key(each.rules) not in played:
                unplayed_games[each.rules] += each.games
        layers = sorted(self.package_set.library.layers)
        for rules, games in unplayed_games.items():
            unknown = "".join(
                f"; there is no layer `{layer}` in reach: {suggestion_text(layer, layers)}"
                for layer in parse_request(rules).layers
                if layer not in layers
            )
            yield f"not compared: {games} reported under {rules}, which was not played{unknown}"


def read_results(
    path: Path, scenario: str, sides: Sequence[str], rules: graph.Graph, packages: Sequence[Path]
) -> ReportedResults:
    """Read the reported games of a situation; `UsageError` with the line of a malformed one."""
    if not path.is_file():
        raise UsageError(f"{path} is no file" if path.exists() else f"there is no file {path}")
    node, problems = read_document(path, source.Reported)
    if problems or node is None:
        raise UsageError("; ".join(diagnostic_line(each) for each in diagnose(problems, {})[:3]))
    if node.name.text != scenario:
        raise UsageError(f"{path} has results of `{node.name.text}`, and `{scenario}` is compared")
    levels = _levels(rules)
    return ReportedResults(tuple(_ended(each, sides, levels) for each in node.games), open_packages(packages))


def _ended(game: ReportedGame, sides: Sequence[str], levels: Sequence[str]) -> OutcomeCount:
    place = f"{game.span.file}:{game.span.line}"
    won, level = game.won.text, game.level.text if game.level else ""
    if won not in (*sides, NO_WINNER):
        raise UsageError(f"{place}: there is no side `{won}`; {suggestion_text(won, (*sides, NO_WINNER))}")
    if level and levels and level not in levels:
        raise UsageError(f"{place}: there is no level `{level}`; {suggestion_text(level, levels)}")
    if level and won == NO_WINNER:
        raise UsageError(f"{place}: a level is that of the winner, and `{NO_WINNER}` won")
    return OutcomeCount(game.rules.text, "" if won == NO_WINNER else won, level, game.games)


def _levels(rules: graph.Graph) -> tuple[str, ...]:
    """Return the levels of the outcome of a situation; empty if it is a number."""
    type_ = rules.terms[rules.outcome].type if rules.outcome else None
    scale = rules.vocabulary.scales.get(type_.name) if isinstance(type_, Scale) else None
    return tuple(name for name, _ in scale.places) if scale else ()


def _comparison_sentences(comparison: Shares, many: int) -> Iterator[str]:
    """Yield the sentences about one of `many` comparisons."""
    levels = f"; {', '.join(f'{level} {count}' for level, count in comparison.levels)}" if comparison.levels else ""
    yield (
        f"{comparison.rules}: {comparison.won} of {_reported_games(comparison.n)} won by "
        f"{comparison.side}, {percent(comparison.won / comparison.n)} "
        f"({percent(comparison.reported.low)} to {percent(comparison.reported.high)}{levels}); "
        f"{comparison.players}: {comparison.wins} of "
        f"{comparison.arm.n}, {percent(comparison.wins / comparison.arm.n)}"
    )
    verdict = (
        "THEY DISAGREE"
        if comparison.is_difference_significant
        else f"no disagreement as far as {_reported_games(comparison.n)} {'shows' if comparison.n == 1 else 'show'}"
    )
    together = f", with all {many} together {p_value_text(comparison.p_adjusted)}" if many > 1 else ""
    yield (
        f"  {comparison.estimate:+.1%} ({interval_text(comparison.interval, '+.1%')} "
        "at 95 percent; Fisher's exact test p "
        f"{p_value_text(comparison.p)}{together}): {verdict}"
    )


def _reported_games(count: int) -> str:
    return f"{count} reported {'game' if count == 1 else 'games'}"


def beside_data(shares: Iterable[Shares]) -> list[Mapping[str, Any]]:
    """Return the comparisons as data."""
    return [
        {
            "rules": comparison.rules,
            "players": comparison.players,
            "side": comparison.side,
            "won": comparison.won,
            "n": comparison.n,
            "interval": interval_ends(comparison.reported),
            "won_by": dict(comparison.won_by),
            "levels": dict(comparison.levels),
            "estimate": rounded(comparison.estimate),
            "difference": interval_ends(comparison.interval),
            "p": rounded(comparison.p),
            "p_adjusted": rounded(comparison.p_adjusted),
            "disagree": comparison.is_difference_significant,
        }
        for comparison in shares
    ]
