"""`rulewright replay TRIAL`: play a recorded game again."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rulewright.serve.cli.arguments import Rules
from rulewright.serve.cli.console import Reply
from runtime.graph.document import DocumentBlock
from runtime.graph.document_lines import listing, reply_block
from runtime.graph.records.playing import GameForSideRecord, GameLogRecord, ReplayRecord
from runtime.graph.words import counted_noun

if TYPE_CHECKING:
    from runtime.graph.nodes import Graph
    from runtime.trial.nodes import Trial
    from runtime.trial.replay import ReplayMismatch


def replay(
    trial: Annotated[Path, typer.Argument(metavar="TRIAL", help="A game recorded by `play --record`.")],
    packages: list[Path],
    rules: Rules = None,
    log: Annotated[bool, typer.Option("--log", help="Print what happened, sentence by sentence.")] = False,
    side: Annotated[
        str, typer.Option("--as", metavar="SIDE", help="Print what happened as far as this side may know.")
    ] = "",
) -> Reply[ReplayRecord] | Reply[GameLogRecord] | Reply[GameForSideRecord]:
    """Play a recorded game again; under other rules, find where it differs.

    It names the first question with another answer, and the changed rules that apply there. The file of a game has the
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


def _log(graph: "Graph", trial: "Trial") -> Reply[GameLogRecord]:
    """Return the log of a game, without events that only one side knows."""
    from rulewright.explain.journal_text import trial_log

    record: GameLogRecord = {"log": trial_log(graph, trial)}
    return Reply(record, lambda record: reply_block(*(record["log"] or ["nothing happened"])))


def _for_side(graph: "Graph", trial: "Trial", side: str) -> Reply[GameForSideRecord]:
    """Return what happened as far as a side may know."""
    from rulewright.explain.journal_text import record_for_side

    return Reply(
        record_for_side(graph, trial, side),
        lambda record: reply_block(*(record["log"] or ["nothing happened that this side knows of"])),
    )


def _replay_block(record: ReplayRecord) -> DocumentBlock:
    first, *others = record["says"]
    return reply_block(listing(first, others))


def _same(says: str) -> Reply[ReplayRecord]:
    record: ReplayRecord = {"same": True, "step": None, "rule": None, "says": [says]}
    return Reply(record, _replay_block)


def _again(graph: "Graph", trial: "Trial") -> Reply[ReplayRecord]:
    """Replay a trial under its own rules, and compare."""
    from rulewright.games.scenarios import replay_divergence

    if divergence := replay_divergence(graph, trial):
        return _not_as_recorded(graph, trial, divergence)
    choices = counted_noun(len(trial.choices), "choice")
    return _same(f"the same game{_as_far(trial)}: {choices}, seed {trial.heading.seed}")


def _not_as_recorded(
    graph: "Graph", trial: "Trial", divergence: "ReplayMismatch", other: str = ""
) -> Reply[ReplayRecord]:
    """Return where a trial diverges under its own rules; it is not compared with `other` rules then."""
    from rulewright.lab.pair_divergences import place_text
    from runtime.trial.replay import mismatch_text

    says = [f"another game {place_text(divergence, graph)}", mismatch_text(trial, graph, divergence)]
    if other:
        says.append(f"not compared with {other}: under its own rules this is no longer the recorded game")
    record: ReplayRecord = {
        "same": False, "step": divergence.step, "rule": None, "turn": divergence.turn, "what": divergence.kind,
        "says": says,
    }  # fmt: skip
    return Reply(record, _replay_block, findings=True)


def _as_far(trial: "Trial") -> str:
    """Return a phrase for an incomplete trial; "" for others."""
    return "" if trial.result else ", as far as it was recorded"


def _divergence_reply(recorded: "Graph", other: "Graph", trial: "Trial") -> Reply[ReplayRecord]:
    """Return where a trial diverges under other rules."""
    from rulewright.games.scenarios import changes_behind, find_divergence, replay_divergence
    from rulewright.lab.pair_divergences import divergence_sentences, place_text

    if mismatch := replay_divergence(recorded, trial):
        return _not_as_recorded(recorded, trial, mismatch, other.stack)
    divergence = find_divergence(recorded, other, trial)
    if divergence is None:
        choices = counted_noun(len(trial.choices), "choice")
        return _same(f"the same game under {other.stack}{_as_far(trial)}: {choices}")
    labels = changes_behind(recorded, other, divergence)
    says = [f"another game {place_text(divergence, recorded)}"]
    says += divergence_sentences(divergence, (recorded.stack, other.stack), labels)
    record: ReplayRecord = {
        "same": False, "step": divergence.step, "rule": labels[0] if labels else None,
        "rules": labels, "turn": divergence.turn, "what": divergence.kind,
        "only_here": list(divergence.only_here), "only_there": list(divergence.only_there), "says": says,
    }  # fmt: skip
    return Reply(record, _replay_block, findings=True)
