"""`rulewright audit STACK|SCENARIO`: play games, and compare each step with the requirements of the rules."""

from pathlib import Path
from typing import Annotated, Any

import typer

from rulewright.cli.arguments import Rules, Seed
from rulewright.cli.console import Reply, show_progress
from rulewright.shell_words import shell_word


def audit(
    named: Annotated[str, typer.Argument(metavar="STACK|SCENARIO", help="A stack, or a card by name or its file.")],
    packages: list[Path],
    rules: Rules = None,
    games: Annotated[
        int,
        typer.Option("-n", "--games", min=1, max=100_000, help="Games of SCENARIO, with each of the players in turn."),
    ] = 4,
    players: Annotated[
        list[str] | None,
        typer.Option(
            "--players", metavar="X,Y", help="Who plays, as in `play`; may be repeated.  [default: random, greedy]"
        ),
    ] = None,
    seed: Seed = "1",
    positions: Annotated[
        Path | None, typer.Option("--positions", metavar="DIR", help="Write the positions of contradictions there.")
    ] = None,
) -> Reply:
    """Play, and ask before each step what the rules require of it.

    Of a STACK its examples are played, of a SCENARIO whole games. A step that is carried out although its precondition
    does not hold is a contradiction: what is asked and what is played do not agree. In games, actions that can be taken
    without end are told as well: after them the same side is offered the same in the same position.
    """
    from dataclasses import replace

    from rulewright.audit import audit_games, audit_report, audited_examples
    from rulewright.cli.findings import refusal_reply
    from rulewright.games import load_scenario, players_of
    from rulewright.library.stacks import named_stack, open_packages

    name, folders = named_stack(named)
    package_set = open_packages((*packages, *folders, *(named_stack(rules)[1] if rules else ())))
    is_card = named in package_set.library.scenarios.places or Path(named).suffix in {".yaml", ".yml"}
    if not is_card:
        package_set.require_layers(name)
    loaded = load_scenario(named, rules, packages) if is_card else package_set.compiled(name)
    if loaded.is_broken or loaded.graph is None:
        return refusal_reply(loaded)
    if not is_card:
        made = audited_examples(loaded.graph, positions)
    else:
        chosen = [players_of(loaded.graph, each) for each in players or ["random", "greedy"]]
        with show_progress(f"{named}, {games} games", games) as moved:
            found, stopped = audit_games(loaded.graph, chosen, games, seed, moved)
        made = replace(audit_report(loaded.graph, found, positions), games=games, stopped=stopped)
    return Reply(_data(made), _text(made), findings=bool(made.violations or made.stopped or _endless(made)))


def _data(made: Any) -> dict[str, Any]:
    """Return an audit as data for `--format json`."""
    return {
        "stack": made.stack,
        "games": made.games,
        "examples": made.examples,
        "preconditions": made.preconditions,
        "asked": sum(each.evaluated for each in made.held),
        "contradictions": [
            {
                "precondition": each.contradiction.precondition, "procedure": each.contradiction.procedure, "step":
                each.contradiction.step, "times": each.times, "where": each.where, "sentence":
                each.contradiction.sentence, "because": list(each.contradiction.because), "question":
                each.contradiction.question, "position": each.path, "left_out": list(each.contradiction.left_out),
            }
            for each in made.violations
        ],
        "carried_out": [
            {
                "precondition": each.precondition, "procedure": each.procedure, "steps": each.met, "asked":
                each.evaluated, "contradicted": each.broken,
            }
            for each in made.held
            if each.met
        ],
        "never_carried_out": _never(made),
        "not_asked": [
            {"procedure": where, "precondition": label, "question": term} for where, label, term in made.unchecked
        ],
        "repeats": [
            {"side": each.side, "actions": list(each.actions), "dice": each.with_dice, "where": each.where}
            for each in made.repeats
        ],
        "stopped": made.stopped,
    }  # fmt: skip


def _endless(made: Any) -> list[Any]:
    """Return the cycles of actions without dice, which never end."""
    return [each for each in made.repeats if not each.with_dice]


def _repeat(each: Any) -> str:
    """Format one cycle of actions as a line."""
    taken = f"`{'`, `'.join(each.actions)}`"
    if each.with_dice:
        return (
            f"may be tried again and again, as a die decides: after {taken} {each.side} stands as before ({each.where})"
        )
    return f"without end: after {taken} the same position comes again, and {each.side} may do the same ({each.where})"


def _never(made: Any) -> list[str]:
    """Return the procedures of which no governed step was run."""
    seen = {each.procedure for each in made.held if each.met}
    return list(dict.fromkeys(each.procedure for each in made.held if each.procedure not in seen))


def _text(made: Any) -> str:
    """Format an audit as text."""
    played = f"{made.games} games" if made.games else f"the acts of {made.examples} examples"
    lines: list[str] = []
    if not made.preconditions:
        none = (
            f"{made.stack} declares no precondition, so nothing could be held against anything: write `precondition ..`"
            " for each step that the rules have to allow (docs/language.md, 10)"
        )
        return "\n".join((none, *map(_repeat, made.repeats), *made.stopped))
    for each in made.violations:
        lines += _contradiction(each, made.stack)
    asked = sum(each.evaluated for each in made.held)
    lines.append(f"{played} of {made.stack}: {made.preconditions} preconditions, asked {asked} times before a step")
    for label in dict.fromkeys(each.precondition for each in made.held):
        lines.append(f"  {label}: {_counted([each for each in made.held if each.precondition == label])}")
    if never := _never(made):
        lines.append(f"never carried out, so not looked at: {', '.join(never)}")
    for where, label, term in made.unchecked:
        lines.append(
            f"not asked: {where} never asks `{term}` on the way, which {label} needs, and it is not proved allowed"
        )
    lines += [_repeat(each) for each in made.repeats]
    lines += made.stopped
    times = sum(each.times for each in made.violations)
    lines.append(f"{len(made.violations)} contradictions, met {times} times" if made.violations else "no contradiction")
    return "\n".join(lines)


def _counted(held: list[Any]) -> str:
    """Format how often a precondition was evaluated for each procedure."""
    asked = [each for each in held if each.evaluated]
    if not asked:
        return "never asked, so nothing is known of it"
    parts = (
        f"{each.evaluated} in {each.procedure}{f' ({each.broken} CONTRADICTED)' if each.broken else ''}"
        for each in asked
    )
    return ", ".join(parts)


def _contradiction(each: Any, stack: str) -> list[str]:
    """Format one contradiction as lines."""
    said = each.contradiction
    lines = [
        f"contradiction: {said.procedure} carries out `{said.step}`, against {said.precondition}",
        f"  {said.sentence}",
    ]
    lines += [f"    {reason}" for reason in said.because]
    lines.append(f"  {each.times} times; first in {each.where}")
    if each.path:
        asked = f" {shell_word(said.question)}" if said.question else " QUESTION"
        lines.append(f"  rulewright ask {stack} -p {shell_word(each.path)}{asked}")
    if said.left_out:
        lines.append(f"  the position leaves out {'; '.join(said.left_out)}")
    return [*lines, ""]
