"""`rulewright audit STACK|SCENARIO`: play games, and compare each step with preconditions and `always` facts."""

from pathlib import Path
from typing import Annotated, Any

import typer

from rulewright.serve.cli.arguments import Rules, SeedOption
from rulewright.serve.cli.console import Reply, print_note, show_progress
from rulewright.system.shell_words import shell_word
from runtime.graph.words import counted_noun, times_text


def audit(
    named: Annotated[str, typer.Argument(metavar="STACK|SCENARIO", help="A stack, or a card by name or its file.")],
    packages: list[Path],
    rules: Rules = None,
    games: Annotated[
        int | None,
        typer.Option(
            "-n",
            "--games",
            min=1,
            max=100_000,
            help="Number of games of SCENARIO, or of each card of STACK, in which the --players take turns; at least "
            "one with each.  [default: 4 of SCENARIO, none of a card of STACK]",
        ),
    ] = None,
    players: Annotated[
        list[str] | None,
        typer.Option(metavar="X,Y", help="Who plays, as in `play`; may be repeated.  [default: random, greedy]"),
    ] = None,
    seed: SeedOption = "1",
    positions: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write the positions of contradictions to this folder.")
    ] = None,
) -> Reply:
    """Play examples or games, and check that each step is allowed.

    It plays the examples of a STACK, with -n whole games of each of its cards, too, or whole games of a SCENARIO. A
    step that is carried out although its precondition
    does not hold is a contradiction: what is asked and what is played do not agree. An `always` fact that a step
    breaks, and that does not hold when somebody decides next, is reported with the step: proofs assume it. It names the
    actions, resolutions, hooks and phases that none of the games executed.

    Example: rulewright audit ridge_farm -n 20
    """
    from dataclasses import replace

    from rulewright.checks.audit_run import AuditReport, audit_games, audit_report, audited_examples
    from rulewright.checks.card_library import cards_of_stack
    from rulewright.games.scenarios import load_scenario, players_of
    from rulewright.library.stack_names import named_stack
    from rulewright.library.stacks import open_packages
    from runtime.graph.nodes import Graph

    name, folders = named_stack(named)
    package_set = open_packages((*packages, *folders, *(named_stack(rules)[1] if rules else ())))
    is_card = named in package_set.library.scenarios.places or Path(named).suffix in {".yaml", ".yml"}
    if not is_card:
        package_set.require_layers(name)
    player_names = players or ["random", "greedy"]
    if games is not None and games < len(player_names):
        print_note(f"-n {games}: {len(player_names)} games are played, one with each of the --players")
        games = len(player_names)

    def report_of_games(graph: Graph, card: str, count: int) -> AuditReport:
        chosen = [players_of(graph, each) for each in player_names]
        with show_progress(f"{card}, {count} games", count) as moved:
            found, stopped, unplayed = audit_games(graph, chosen, count, seed, moved)
        return replace(audit_report(graph, found, positions), games=count, stop_reasons=stopped, unplayed=unplayed)

    if is_card:
        report = report_of_games(load_scenario(named, rules, packages).rules, named, games or GAMES_OF_A_CARD)
    else:
        stack = package_set.compiled(name)
        report = audited_examples(stack.rules, positions)
        cards = [(on, card) for on, card in cards_of_stack(stack) if not package_set.missing_boards(card)]
        report.cards = [card.name.text for _, card in cards]
        for on, card in cards if games else ():
            of_card = report_of_games(package_set.compiled(on, card).rules, card.name.text, games or 0)
            report.add_games(of_card, card.name.text)
    return Reply(
        _data(report),
        _text(report),
        findings=bool(report.violations or report.broken_facts or report.stop_reasons),
    )


GAMES_OF_A_CARD = 4


def _data(report: Any) -> dict[str, Any]:
    """Return an audit as data for `--format json`."""
    return {
        "stack": report.stack,
        "games": report.games,
        "cards": report.cards,
        "examples": report.examples,
        "preconditions": report.preconditions,
        "evaluated": sum(count.evaluated for count in report.precondition_counts),
        "contradictions": [
            {
                "precondition": violation.contradiction.precondition,
                "procedure": violation.contradiction.procedure,
                "step": violation.contradiction.step,
                "times": violation.times,
                "where": violation.first_occurrence,
                "sentence": violation.contradiction.sentence,
                "because": list(violation.contradiction.because),
                "question": violation.contradiction.question,
                "position": violation.path,
                "left_out": list(violation.contradiction.left_out),
            }
            for violation in report.violations
        ],
        "facts": report.facts,
        "broken_facts": [
            {
                "fact": fact.contradiction.precondition,
                "procedure": fact.contradiction.procedure,
                "step": fact.contradiction.step,
                "times": fact.times,
                "where": fact.first_occurrence,
                "culprits": list(fact.contradiction.because),
                "position": fact.path,
                "left_out": list(fact.contradiction.left_out),
            }
            for fact in report.broken_facts
        ],
        "executed": [
            {
                "precondition": count.precondition,
                "procedure": count.procedure,
                "steps": count.reached,
                "evaluated": count.evaluated,
                "contradicted": count.broken,
            }
            for count in report.precondition_counts
            if count.reached
        ],
        "never_executed": _never(report),
        "unchecked": [
            {"procedure": procedure, "precondition": label, "question": term}
            for procedure, label, term in report.unchecked
        ],
        "unplayed": report.unplayed,
        "stopped": report.stop_reasons,
    }


def _never(report: Any) -> list[str]:
    """Return the procedures of which no governed step was run."""
    seen = {count.procedure for count in report.precondition_counts if count.reached}
    return list(dict.fromkeys(count.procedure for count in report.precondition_counts if count.procedure not in seen))


def _text(report: Any) -> str:
    """Format an audit as text."""
    played = (
        counted_noun(report.games, "game")
        if report.games and not report.cards
        else f"the acts of {counted_noun(report.examples, 'example')}"
    )
    lines: list[str] = []
    if not report.preconditions:
        none = (
            f"{report.stack} declares no precondition, so no step could be "
            "checked: write `precondition ..`"
            " for each step that the rules have to allow (docs/language.md, 10)"
        )
        return "\n".join((none, *_facts(report, played), *_whole_game_lines(report, played)))
    for each in report.violations:
        lines += _contradiction(each, report.stack)
    evaluation_count = sum(count.evaluated for count in report.precondition_counts)
    lines.append(
        f"{played} of {report.stack}: {counted_noun(report.preconditions, 'precondition')}, "
        f"asked {times_text(evaluation_count)} before a step"
    )
    for label in dict.fromkeys(count.precondition for count in report.precondition_counts):
        lines.append(
            f"  {label}: {_counted([count for count in report.precondition_counts if count.precondition == label])}"
        )
    if never := _never(report):
        lines.append(f"never carried out, so not looked at: {', '.join(never)}")
    for procedure, label, term in report.unchecked:
        lines.append(
            f"not asked: {procedure} never asks `{term}` on the way, which {label} needs, and it is not proved allowed"
        )
    lines += _facts(report, played)
    lines += _whole_game_lines(report, played)
    times = sum(violation.times for violation in report.violations)
    lines.append(
        f"{counted_noun(len(report.violations), 'contradiction')}, met {times_text(times)}"
        if report.violations
        else "no contradiction"
        if evaluation_count
        else "nothing is known of contradictions: no precondition was asked"
    )
    return "\n".join(lines)


def _facts(report: Any, played: str) -> list[str]:
    """Format the facts that steps broke as lines."""
    lines: list[str] = []
    for fact in report.broken_facts:
        broken = fact.contradiction
        lines += [
            f"broken fact: {broken.procedure} carries out `{broken.step}`, against {broken.precondition}",
            f"  {broken.sentence}",
            f"  {fact.times} times; first in {fact.first_occurrence}",
        ]
        lines += [f"  rulewright show {shell_word(fact.path)}"] if fact.path else []
        lines += [f"  the position leaves out {'; '.join(broken.left_out)}"] if broken.left_out else []
    if report.facts or report.printed_facts:
        left_out = f"; {report.printed_facts} about printed values alone, which `check` compares with the counters"
        lines.append(
            f"{played}: {counted_noun(report.facts, '`always` fact')} checked after each step that could break them, "
            f"{len(report.broken_facts) or 'none'} broken{left_out if report.printed_facts else ''}"
        )
    return lines


def _whole_game_lines(report: Any, played: str) -> list[str]:
    """Format what whole games show besides preconditions: what was never executed, and stops."""
    if report.cards:
        cards = counted_noun(len(report.cards), "card")
        played = f"{counted_noun(report.games, 'game')} of {cards}"
        if not report.games:
            return [f"no game of {cards} was played: `-n 2` plays two of each to its end"]
    if not report.games:
        return []
    unplayed = f"never carried out in {played}, which another game may do: {', '.join(report.unplayed)}"
    return [*([unplayed] if report.unplayed else []), *report.stop_reasons]


def _counted(counts: list[Any]) -> str:
    """Format how often a precondition was evaluated for each procedure."""
    evaluated_counts = [count for count in counts if count.evaluated]
    if not evaluated_counts:
        return "never asked, so nothing is known of it"
    parts = (
        f"{count.evaluated} in {count.procedure}{f' ({count.broken} CONTRADICTED)' if count.broken else ''}"
        for count in evaluated_counts
    )
    return ", ".join(parts)


def _contradiction(each: Any, stack: str) -> list[str]:
    """Format one contradiction as lines."""
    contradiction = each.contradiction
    lines = [
        f"contradiction: {contradiction.procedure} carries out "
        f"`{contradiction.step}`, against {contradiction.precondition}",
        f"  {contradiction.sentence}",
    ]
    lines += [f"    {reason}" for reason in contradiction.because]
    lines.append(f"  {each.times} times; first in {each.first_occurrence}")
    if each.path:
        question = f" {shell_word(contradiction.question)}" if contradiction.question else " QUESTION"
        lines.append(f"  rulewright ask {stack} -p {shell_word(each.path)}{question}")
    if contradiction.left_out:
        lines.append(f"  the position leaves out {'; '.join(contradiction.left_out)}")
    return [*lines, ""]
