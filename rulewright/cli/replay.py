"""`rulewright replay TRIAL`: play a recorded game again."""

from pathlib import Path
from typing import Annotated, Any

import typer

from rulewright.cli.arguments import Rules
from rulewright.cli.console import Reply


def replay(
    trial: Annotated[Path, typer.Argument(metavar="TRIAL", help="A game recorded by `play --record`.")],
    packages: list[Path],
    rules: Rules = None,
    log: Annotated[bool, typer.Option("--log", help="Print what happened, sentence by sentence.")] = False,
) -> Reply:
    """Play a recorded game again; under other rules, find the first difference and the rule that causes it."""
    from rulewright.cli.findings import refusal_reply
    from rulewright.games import load_recorded
    from rulewright.journal import read_trial

    found = read_trial(trial)
    recorded = load_recorded(found.heading, packages)
    if recorded.is_broken or recorded.graph is None:
        return refusal_reply(recorded)
    if log:
        return _log(recorded.graph, found)
    if rules is None:
        return _again(recorded.graph, found)
    other = load_recorded(found.heading, packages, rules)
    if other.is_broken or other.graph is None:
        return refusal_reply(other)
    return _under(recorded.graph, other.graph, found)


def _log(graph: Any, trial: Any) -> Reply:
    """Return the log of a game, without events that only one side knows."""
    from rulewright.table.log import trial_log

    lines = trial_log(graph, trial)
    return Reply({"log": lines}, "\n".join(lines) or "nothing happened")


def _again(graph: Any, trial: Any) -> Reply:
    """Replay a trial under its own rules, and compare."""
    from rulewright.games import replay_divergence

    divergence = replay_divergence(graph, trial)
    changed = graph.hash != trial.heading.hash
    if divergence is None:
        note = "; the rules have been edited since, without effect on it" if changed else ""
        text = f"the same game{_as_far(trial)}: {len(trial.choices)} choices, seed {trial.heading.seed}{note}"
        return Reply({"same": True, "step": None, "rule": None}, text)
    text = (
        f"another game from step {divergence.step} on (turn {divergence.turn}, "
        f"{divergence.side}: {divergence.question})\n"
        f"  {divergence.kind}: recorded {divergence.written}, now {divergence.instead}"
        + ("\n  the rules have been edited since this game was recorded" if changed else "")
    )
    data = {"same": False, "step": divergence.step, "rule": None, "turn": divergence.turn, "what": divergence.kind}
    return Reply(data, text, findings=True)


def _as_far(trial: Any) -> str:
    """Return a phrase for an incomplete trial; "" for others."""
    return "" if trial.result else ", as far as it was written down"


def _under(recorded: Any, other: Any, trial: Any) -> Reply:
    """Return where a trial diverges under other rules."""
    from rulewright.games import find_divergence

    divergence = find_divergence(recorded, other, trial)
    if divergence is None:
        text = f"the same game under {other.stack}{_as_far(trial)}: {len(trial.choices)} choices"
        return Reply({"same": True, "step": None, "rule": None}, text)
    cause = divergence.cause
    rules = (*cause.rules_there, *cause.rules_here) if cause else ()
    lines = [
        f"another game from step {divergence.step} on (turn {divergence.turn}, "
        f"{divergence.side}: {divergence.question})"
    ]
    if divergence.kind == "choice":
        lines.append("  the recorded choice is none of those that there are: this is not how that game went")
    if divergence.only_here:
        lines.append(f"  only under {recorded.stack}: {', '.join(divergence.only_here)}")
    if divergence.only_there:
        lines.append(f"  only under {other.stack}: {', '.join(divergence.only_there)}")
    if cause and cause.question:
        lines.append(
            f"  {cause.question}: {cause.answer_here} under {recorded.stack}, {cause.answer_there} under {other.stack}"
        )
    if rules:
        lines.append(f"  because of {', '.join(rules)}")
    data = {
        "same": False, "step": divergence.step, "rule": rules[0] if rules else None, "rules": list(rules),
        "turn": divergence.turn, "what": divergence.kind, "only_here": list(divergence.only_here),
        "only_there": list(divergence.only_there),
    }  # fmt: skip
    return Reply(data, "\n".join(lines), findings=True)
