"""Reported results of a situation: reading of files, and comparison with the simulated games."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from compiler.report.diagnose import diagnose
from compiler.report.render.line import diagnostic_line
from compiler.source import nodes as source
from compiler.source.nodes import ReportedGame
from compiler.source.package import read_document
from rulewright.errors import UsageError, suggestion_text
from rulewright.lab.experiment_sentences import interval_text, p_value_text, percent
from runtime.experiment.report import interval_ends, rounded
from runtime.experiment.reported_results import OutcomeCount, Shares, same_rules
from runtime.graph import nodes as graph
from runtime.graph.nodes import Scale

NO_WINNER = "nobody"


def read_results(path: Path, scenario: str, sides: Sequence[str], rules: graph.Graph) -> tuple[OutcomeCount, ...]:
    """Read the reported games of a situation; `UsageError` with the line of a malformed one."""
    if not path.is_file():
        raise UsageError(f"{path} is no file" if path.exists() else f"there is no file {path}")
    node, problems = read_document(path, source.Reported)
    if problems or node is None:
        raise UsageError("; ".join(diagnostic_line(each) for each in diagnose(problems, {})[:3]))
    if node.name.text != scenario:
        raise UsageError(f"{path} has results of `{node.name.text}`, and `{scenario}` is compared")
    levels = _levels(rules)
    return tuple(_ended(each, sides, levels) for each in node.games)


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


def comparisons_with_reported(
    shares: Sequence[Shares], reported: Sequence[OutcomeCount], stacks: Iterable[str]
) -> Iterator[str]:
    """Yield the comparison of each arm with the reported results, and what is not compared."""
    yield "reported results beside these"
    many = len(shares)
    for comparison in shares:
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
    played = {same_rules(each) for each in stacks}
    left: dict[str, int] = {}
    for each in reported:
        if same_rules(each.rules) not in played:
            left[each.rules] = left.get(each.rules, 0) + each.games
    for rules, games in left.items():
        yield f"not compared: {games} reported under {rules}, which was not played"


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
