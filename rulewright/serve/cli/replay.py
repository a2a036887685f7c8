"""`rulewright replay TRIAL`: play a recorded game again."""

from pathlib import Path
from typing import Annotated, Any

import typer

from rulewright.serve.cli.arguments import Rules
from rulewright.serve.cli.console import Reply

# The hash of a graph covers the documents of all packages in reach.
CHANGED = "its rules, or documents of packages in reach, have changed since"


def replay(
    trial: Annotated[Path, typer.Argument(metavar="TRIAL", help="A game recorded by `play --record`.")],
    packages: list[Path],
    rules: Rules = None,
    log: Annotated[bool, typer.Option("--log", help="Print what happened, sentence by sentence.")] = False,
    side: Annotated[
        str, typer.Option("--as", metavar="SIDE", help="Print what happened as far as this side may know.")
    ] = "",
) -> Reply:
    """Play a recorded game again; under other rules, find where it differs.

    It names the first question with another answer, and the changes that are live there. The file of a game has the
    secrets of all sides: `--as` tells what one side knows, with `--format json` as a record that it may be shown.

    Example: rulewright replay game.jsonl --rules panzerblitz+pb_mounted_guns
    """
    from rulewright.games.journal import read_trial
    from rulewright.games.scenarios import load_recorded
    from rulewright.system.errors import UsageError, suggestion_text
    from runtime.graph.members import members_of

    if side and rules is not None:
        raise UsageError("`--as` and `--rules` exclude each other: where games part may be a secret")
    found = read_trial(trial)
    recorded = load_recorded(found.heading, packages).rules
    sides = members_of(recorded.vocabulary, "side")
    if side and side not in sides:
        raise UsageError(f"there is no side `{side}`; {suggestion_text(side, sides)}")
    if side:
        return _for_side(recorded, found, side)
    if log:
        return _log(recorded, found)
    if rules is None:
        return _again(recorded, found)
    other = load_recorded(found.heading, packages, rules)
    return _divergence_reply(recorded, other.rules, found)


def _log(graph: Any, trial: Any) -> Reply:
    """Return the log of a game, without events that only one side knows."""
    from rulewright.explain.journal_text import trial_log

    lines = trial_log(graph, trial)
    return Reply({"log": lines}, "\n".join(lines) or "nothing happened")


def _for_side(graph: Any, trial: Any, side: str) -> Reply:
    """Return what happened as far as a side may know."""
    from rulewright.explain.journal_text import record_for_side

    data = record_for_side(graph, trial, side)
    lines = data["log"] or ["nothing happened that this side knows of"]
    return Reply(data, "\n".join(lines))


def _again(graph: Any, trial: Any) -> Reply:
    """Replay a trial under its own rules, and compare."""
    from rulewright.games.scenarios import replay_divergence

    divergence = replay_divergence(graph, trial)
    changed = graph.hash != trial.heading.hash
    if divergence is not None:
        return _not_as_recorded(divergence, changed=changed)
    note = f"; {CHANGED}, without effect on it" if changed else ""
    text = f"the same game{_as_far(trial)}: {len(trial.choices)} choices, seed {trial.heading.seed}{note}"
    return Reply({"same": True, "step": None, "rule": None}, text)


def _not_as_recorded(divergence: Any, *, changed: bool, other: str = "") -> Reply:
    """Return where a trial diverges under its own rules; it is not compared with `other` rules then."""
    text = (
        f"another game from step {divergence.step} on (turn {divergence.turn}, "
        f"{divergence.side}: {divergence.question})\n"
        f"  {divergence.kind}: recorded {divergence.written}, now {divergence.instead}"
        + (f"\n  {CHANGED}" if changed else "")
        + (f"\n  not compared with {other}: under its own rules this is no longer the recorded game" if other else "")
    )
    data = {"same": False, "step": divergence.step, "rule": None, "turn": divergence.turn, "what": divergence.kind}
    return Reply(data, text, findings=True)


def _as_far(trial: Any) -> str:
    """Return a phrase for an incomplete trial; "" for others."""
    return "" if trial.result else ", as far as it was written down"


def _divergence_reply(recorded: Any, other: Any, trial: Any) -> Reply:
    """Return where a trial diverges under other rules."""
    from rulewright.games.scenarios import changes_behind, find_divergence, replay_divergence

    if mismatch := replay_divergence(recorded, trial):
        return _not_as_recorded(mismatch, changed=recorded.hash != trial.heading.hash, other=other.stack)
    divergence = find_divergence(recorded, other, trial)
    if divergence is None:
        text = f"the same game under {other.stack}{_as_far(trial)}: {len(trial.choices)} choices"
        return Reply({"same": True, "step": None, "rule": None}, text)
    lines = [
        f"another game from step {divergence.step} on (turn {divergence.turn}, "
        f"{divergence.side}: {divergence.question})"
    ]
    if divergence.kind == "state":
        lines.append("  the same options, in another position")
    if divergence.only_here:
        lines.append(f"  only under {recorded.stack}: {', '.join(divergence.only_here)}")
    if divergence.only_there:
        lines.append(f"  only under {other.stack}: {', '.join(divergence.only_there)}")
    cause = divergence.cause
    if cause is not None and cause.question:
        lines.append(
            f"  {cause.question}: {cause.answer_here} under {recorded.stack}, {cause.answer_there} under {other.stack}"
        )
    labels = changes_behind(recorded, other, divergence)
    lines.append(
        f"  changed, and live in this step: {', '.join(labels)}"
        if labels
        else f"  no change is seen in this step itself; `rulewright diff {recorded.stack} {other.stack}` lists all"
    )
    data = {
        "same": False, "step": divergence.step, "rule": labels[0] if labels else None,
        "rules": labels, "turn": divergence.turn, "what": divergence.kind,
        "only_here": list(divergence.only_here), "only_there": list(divergence.only_there),
    }  # fmt: skip
    return Reply(data, "\n".join(lines), findings=True)
