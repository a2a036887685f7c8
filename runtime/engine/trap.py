"""Traps of compiled modules, mapped to a reason and a place in the rules.

In: the trap of the sandbox, with the names of the running functions. Out: a `TrapError`. A function is named after the
term or procedure that it was compiled from, and a library function after its task, so that the names identify the
place and the exhausted resource without line tables in the module.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import wasmtime

from runtime.graph import nodes as graph

REASONS = (
    "", "absent", "gap", "clash", "outside", "unrepresentable", "exhausted", "geometry", "unsupported", "broken"
)  # fmt: skip
EXHAUSTED = "exhausted"
# The resource that is exhausted where a library function traps, by the first word of its name.
LIMITS: Final[Mapping[str, str]] = {
    "alloc": "4 MiB for sets, lists and procedures under way",
    "arena_alloc": "4 MiB for records, and for sets and lists that are kept",
    "trial_alloc": "32 MiB for positions that an offer with `must` tries out",
    "span": "65,536 numbers in a range",
    "push": "room for a search over the map",
    "relate": "two related pairs a piece",
    "create": "room for more pieces",
    "throw": "20,000 dice a game",
    "log_taken": "65,536 decisions a game",
    "trial_throw": "32 dice in what an offer with `must` tries out",
    "go_on": "20,000 steps up to a decision in what an offer with `must` tries out",
    "can_meet": "positions with records that an offer with `must` can tell apart",
    "write_byte": "2,048 letters to name a die by",
    "write_text": "2,048 letters to name a die by",
}
DEPTH = "room for questions that ask each other, one within the other"
ACTION = "action:"


class TrapError(Exception):
    """A module stopped without an answer: `reason` is one of `REASONS`, or the message of the sandbox.

    `exceeded`: the limit that was reached, where that is the reason; `location`: the term or procedure, with its file
    and line. Both may be "".
    """

    def __init__(self, reason: str, exceeded: str = "", location: str = "") -> None:
        """Store the parts of the message."""
        super().__init__(reason)
        self.reason = reason
        self.exceeded = exceeded
        self.location = location


def trap_of(trap: wasmtime.Trap, reason: int, allowed: int, rules: graph.Graph, running: int) -> TrapError:
    """Return the error of a trap.

    `reason`: the module's reason by number, 0 where the sandbox stopped it; `allowed`: the limit of steps, 0 if it was
    not reached; `running`: the number of the procedure on the stack of a game, -1 if there is none.
    """
    names = tuple(frame.func_name or "" for frame in trap.frames)
    location = _owner_text(_owners(names, rules, running))
    if reason:
        exceeded = next((LIMITS[name] for each in names if (name := each.partition(":")[0]) in LIMITS), "")
        return TrapError(REASONS[reason], exceeded if REASONS[reason] == EXHAUSTED else "", location)
    if allowed:
        return TrapError(EXHAUSTED, f"{allowed:,} steps", location)
    # A stack overflow is a trap of the machine itself.
    if trap.trap_code is wasmtime.TrapCode.STACK_OVERFLOW:
        return TrapError(EXHAUSTED, DEPTH, location)
    return TrapError(trap.message.splitlines()[0], "", location)


def _owners(names: Sequence[str], rules: graph.Graph, running: int) -> Iterator[graph.Term | graph.Procedure]:
    """Yield the terms and procedures whose code was running, the innermost first."""
    keys = sorted(rules.procedures)
    written = {key.replace(" ", "_"): key for key in keys}
    for name in names:
        # The name of an outlined part follows a `~` or `@`.
        category, _, rest = name.partition("~")[0].partition(":")
        if category == "t" and (term := rules.terms.get(rest.partition("@")[0])) is not None:
            yield term
        elif category == "p" and rest in written:
            yield rules.procedures[written[rest]]
        elif category in ("finish", "ahead") and (key := ACTION + rest.rpartition(":")[0]) in rules.procedures:
            yield rules.procedures[key]
    if 0 <= running < len(keys):
        yield rules.procedures[keys[running]]


def _owner_text(owners: Iterator[graph.Term | graph.Procedure]) -> str:
    """Format the first of them that has an origin in a file."""
    for owner in owners:
        if owner.origin.file:
            name = owner.name
            if isinstance(owner, graph.Procedure):
                name = f"{owner.what} {owner.name or owner.event}"
            return f"{name}, {owner.origin.file}:{owner.origin.line}"
    return ""
