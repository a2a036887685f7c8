"""Report every change between two stacks: its effect, or why it is unknown.

The input is the structural difference, and the results of a comparison; the output is for each change one of four
states. `witness`: a question that is answered differently because of it, or a play with a different result. `same`:
proved to change no answer. `only`: only one of the stacks has it, and no question of both depends on it. `unknown`:
what was tried, and what was missing. The report is complete: no answer differs if every change is `same`.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field

from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.printed_fields import BOOK, PRECONDITION
from runtime.graph.words import counted_noun, list_text, readable_name
from runtime.witness.structural_difference import PREFERRING, WORDY, NodeChange, attribution_name

WITNESS_FOUND, PROVED_SAME, NOT_COMPARABLE, UNKNOWN_EFFECT = "witness", "same", "only", "unknown"

# Why a change is the same if no step and no answer depends on it.
HELD = "no answer and no move depends on it: `check` and `audit` compare procedures with it"
GRANTED = "it allows what is allowed anyway, and overrules nothing"
PREFERRED = "only the preferences of greedy players differ: answers and allowed moves are the same"
FOLLOWS = "only the stage before it differs; the rules of that stage are listed separately"
WIDENED = (
    "only the list of its members differs, and no rule goes through all of them; what uses one is listed separately"
)

UNREAD = "nothing is computed from it"
RENAMED = "renamed"

INLINED = "its range is part of every declaration that uses it; those that differ are listed separately"
KNOWN = "who knows of it"
EVERYBODY, ITS_SIDE = "both sides", "its own side alone"

# Changes that only play can show, and what shows them.
SHOWN_BY_PLAY = {
    "procedure": "only play can show it",
    "order of hooks": "only play can show it",
    "event": "only play can show it",
    "outcome": "it says who won",
    "aim": "players alone read it",
    "card": "it is the card that is played",
}
# Why a search ended.
CUT = "the most positions for one comparison were tried; compare fewer layers, or one question with `--term`"
BESIDE_OTHERS_NOTE = (
    "it shows only together with the other changes: the first answer is that of the second stack without it"
)
# What is its own evidence where nothing else shows it: the question that it answers, and where both answers are.
STATED = {
    "card": ("how a game begins", "as the first card says", "as the second card says"),
    "counter": ("what is printed on it", "as the first chart says", "as the second chart says"),
    "outcome": ("who has won", "as the first stack says", "as the second stack says"),
    "sequence": ("what is played when", "as the first stack says", "as the second stack says"),
}
# The fields that count for it.
SHOWN_FIELDS = {"counter": {"printed", "traits", "owner", "kind"}, "procedure": {"body"}}


@frozen_dataclass
class ChangeWitness:
    """The evidence of a change: a question or a play, its result in each stack, and the position file.

    `expression` is a question that is no single term, None for others.
    """

    question: str
    a: str
    b: str
    file: str
    expression: graph.Expr | None = None


@frozen_dataclass
class ChangeReport:
    """One change, its state, and the reason for it. `label` is its name in attributions of answers."""

    change: NodeChange
    label: str
    status: str
    reason: str
    witness: ChangeWitness | None = None


@frozen_dataclass
class SearchEffort:
    """The effort of a search for a witness, for one label.

    `positions` were examined; in `applied` of them the change applied and both stacks gave the same answer; `alone`: it
    applied, but the other stack could not express the position, or had no answer.
    """

    positions: int = 0
    applied: int = 0
    alone: int = 0


@frozen_dataclass
class Evidence:
    """What is known of the changes: witnesses and searches by label, and what rests on what.

    `questioned` are the labels that a question of both stacks rests on, `read` those that anything at all reads.
    `listed` rest on questions that could be asked of everything there is, and were. `missing_facts`: facts that
    positions had not. `one_sided_rules`: rules on questions that only one of the stacks asks. `unwritable`: an answer
    differs because of it, in positions that no file can hold. `runs`: of each procedure in how many plays of the
    examples it ran in both stacks, and in how many more positions it was begun. `extended_enumerations`: enumerations
    whose changed list of members changes nothing by itself. `cut`: labels that were not looked into to the end, as the
    positions for all changes together were used up. `ineffective_rules`: rules that answer nothing in either graph.
    `following`: what only reads another stage before its own. `secret`: records of the second stack that their side
    alone knows of.
    """

    witnesses: Mapping[str, ChangeWitness]
    tried: Mapping[str, SearchEffort]
    questioned: frozenset[str]
    read: frozenset[str]
    listed: frozenset[str]
    missing_facts: Mapping[str, int]
    plays: int
    unwritable: frozenset[str] = frozenset()
    one_sided_rules: frozenset[str] = frozenset()
    runs: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    extended_enumerations: frozenset[str] = frozenset()
    cut: frozenset[str] = frozenset()
    ineffective_rules: frozenset[str] = frozenset()
    following: frozenset[str] = frozenset()
    secret: frozenset[str] = frozenset()


# The names of fields for readers, where they differ from those of the code.
READ_AS = {"cites": "citations", "instead_of": "replaced part", "prose": "sentence", "singled_out": "citations"}


def change_reports(changes: Iterable[NodeChange], evidence: Evidence) -> tuple[ChangeReport, ...]:
    """Return a report of each change of a rule, a chart, a piece, a word or a procedure.

    Others concern the book only.
    """
    books = frozenset(BOOK.values()) - {PRECONDITION}
    return tuple(_report(change, evidence) for change in changes if change.kind not in books)


def renaming_report(kind: str, old: str, new: str) -> ChangeReport:
    """Return an account of what is only called otherwise; what follows from the new name is told by itself."""
    label, called = attribution_name(kind, old), new.rpartition(":")[2]
    return ChangeReport(
        NodeChange(kind, old, RENAMED, (new,), (label,)), label, PROVED_SAME, f"it is now called {called}"
    )


def _report(change: NodeChange, evidence: Evidence) -> ChangeReport:
    """Report a change: nothing is computed from it, or it has a witness, a proof, or nothing to be compared with."""
    label = change.labels[0] if change.labels else f"{change.kind} {change.name}".strip()
    if reason := _print_proof(change):
        return ChangeReport(change, label, PROVED_SAME, reason)
    if witness := _witness(change, evidence):
        return ChangeReport(change, label, WITNESS_FOUND, "", witness)
    if reason := _proof(change, evidence):
        return ChangeReport(change, label, PROVED_SAME, reason)
    if reason := _one_sided_reason(change, evidence):
        return ChangeReport(change, label, NOT_COMPARABLE, reason)
    return ChangeReport(change, label, UNKNOWN_EFFECT, list_text(tuple(_effort_phrases(change, evidence))))


def _print_proof(change: NodeChange) -> str:
    """Return why nothing is computed from a change, "" where something is."""
    if change.kind == PRECONDITION:
        return HELD
    if change.operation != "printed":
        return ""
    names = dict.fromkeys(READ_AS.get(name, readable_name(name)) for name in change.fields if name)
    return f"it differs only in its {list_text(list(names))}, from which nothing is computed" if names else UNREAD


def _witness(change: NodeChange, evidence: Evidence) -> ChangeWitness | None:
    """Return the witness that was found, or for what is its own evidence both versions of it."""
    if change.kind == "record" and "secret" in change.fields:
        known = (EVERYBODY, ITS_SIDE) if change.name in evidence.secret else (ITS_SIDE, EVERYBODY)
        return ChangeWitness(KNOWN, *known, "")
    for label in change.labels:
        if label in evidence.witnesses:
            return evidence.witnesses[label]
    stated = STATED.get(change.name if change.kind == "procedure" else change.kind)
    return ChangeWitness(*stated, "") if stated and change.operation == "changed" and _is_shown(change) else None


def _one_sided_reason(change: NodeChange, evidence: Evidence) -> str:
    """Return why a part of one stack only has nothing to be compared with, "" if it has."""
    if change.operation not in {"new", "gone"}:
        return ""
    if _has_no_own_effect(change) or change.name in evidence.one_sided_rules:
        return "only one of the two declares it; what uses it is listed separately"
    if evidence.questioned.isdisjoint(change.labels) and change.kind not in SHOWN_BY_PLAY:
        return "no question of both depends on it"
    return ""


def _is_shown(change: NodeChange) -> bool:
    """Return whether a changed part is its own evidence: other figures on a counter, other steps in a sequence."""
    return not SHOWN_FIELDS.get(change.kind, {*change.fields}).isdisjoint(change.fields)


def _has_no_own_effect(change: NodeChange) -> bool:
    """Return whether a node has no effect itself: a word, a question, an action that the other stack does not have."""
    is_declaration = change.kind in {"question", "factor", *WORDY, "measure"}
    return is_declaration or (change.kind == "procedure" and not change.name.startswith("hook:"))


def _proof(change: NodeChange, evidence: Evidence) -> str:
    """Explain why a change cannot change an answer, "" where that is not proved."""
    if change.fields == (PREFERRING,):
        return PREFERRED
    if change.kind == "always":
        return "it limits which positions can occur, and answers nothing"
    if change.kind in SHOWN_BY_PLAY or change.kind == "counter":
        return ""
    if change.kind == "domain" and change.operation == "changed":
        return INLINED
    if not evidence.extended_enumerations.isdisjoint(change.labels):
        return WIDENED
    if not evidence.following.isdisjoint(change.labels):
        return FOLLOWS
    if change.kind == "rule" and evidence.ineffective_rules.issuperset(change.labels):
        return GRANTED
    if evidence.listed.issuperset(change.labels):
        return "every question that depends on it was asked with all possible arguments"
    if change.operation == "changed" and evidence.read.isdisjoint(change.labels):
        return "no question and no move reads it"
    return ""


def _effort_phrases(change: NodeChange, evidence: Evidence) -> Iterator[str]:
    """Return what was tried, and what was missing."""
    if change.kind in SHOWN_BY_PLAY:
        yield f"{SHOWN_BY_PLAY[change.kind]}, and {_runs_text(change, evidence)}"
        return
    if not evidence.unwritable.isdisjoint(change.labels):
        yield "answers differ because of it, but in no position that a file can hold"
        return
    if not evidence.cut.isdisjoint(change.labels):
        yield f"the search ended before it, or on the way: {CUT}"
    efforts = [evidence.tried[label] for label in change.labels if label in evidence.tried]
    positions_text = counted_noun(sum(effort.positions for effort in efforts), "position")
    applied = sum(effort.applied for effort in efforts)
    alone_count = sum(effort.alone for effort in efforts)
    if not any(effort.positions for effort in efforts):
        yield "no position was tried"
    elif applied:
        yield f"it applied in {applied} of {positions_text} tried, and both gave the same answer"
    elif alone_count:
        yield (
            f"it applied in {alone_count} of {positions_text} tried, but the other stack "
            "does not declare a name in them, or has no answer"
        )
    else:
        yield f"it never applied in {positions_text} tried"
    if evidence.missing_facts and not applied:
        facts = list_text(tuple(sorted(evidence.missing_facts)[:3]))
        questions = counted_noun(sum(evidence.missing_facts.values()), "question")
        yield f"{questions} had no answer, as the positions lack {facts}"


def _runs_text(change: NodeChange, evidence: Evidence) -> str:
    """Return in how many plays it had no effect; for a procedure, only those in which it ran."""
    counts = [evidence.runs[label] for label in change.labels if label in evidence.runs]
    if not counts:
        plays = counted_noun(evidence.plays, "play")
        return f"it made no difference in {plays} of the examples of both" if evidence.plays else "no example plays it"
    run_count, tried = map(sum, zip(*counts, strict=True))
    plays = counted_noun(run_count, "play") if run_count else "no play"
    start_text = f", and was begun in {counted_noun(tried, 'more position')}" if tried else ""
    outcome = ", without a difference due to it" if run_count or tried else ""
    return f"it ran in {plays} of the examples of both{start_text}{outcome}"
