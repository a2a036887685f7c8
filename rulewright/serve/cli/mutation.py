"""Format the output of `rulewright test STACK --mutate`: survivors, mutants by kind, mutants not run."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from compiler.report.findings.missing_examples import StaleEquivalent
from rulewright.checks.mutation import mutant_text
from rulewright.checks.mutation.mutant_trials import MutationLimits
from rulewright.checks.mutation.protect import ProtectionReport, Survivor, run_own_mutants
from rulewright.library.stacks import PackageSet
from rulewright.serve.cli.console import Reply, show_progress
from rulewright.serve.cli.findings import path_from_here
from rulewright.serve.cli.termination import terminated_as_interrupted
from runtime.graph import nodes as graph
from runtime.graph.words import list_text as in_a_row
from runtime.mutation.mutant import PLURALS

# The parts that are never mutated, and the command that checks them instead.
NEVER = (
    "sentences, titles, gaps and how things read, which change no answer",
    "the range declared for an answer or a note, which `check` proves",
    "preconditions and `always`, which `audit` and `check` ask",
    "`preferring`, by which only greedy players choose",
    "the maps of cards, the terrain of boards and the positions of examples, which are what is given",
    "an argument that no rule of the question reads",
    "two alterations at once",
)
MINUTE = 60


def mutation_reply(
    package_set: PackageSet, stack: str, packages: Sequence[Path], limits: MutationLimits
) -> tuple[Reply, tuple[StaleEquivalent, ...]]:
    """Run the mutants of a stack; return a reply with the survivors, and the stale `equivalent` entries."""
    with terminated_as_interrupted(), show_progress(f"altering {stack}", 0) as moved:
        found = run_own_mutants(package_set, stack, packages, limits, moved)
    texts = package_set.texts()
    survivors = sorted(
        ((mutant_text.origin_of(survivor.mutant, survivor.rules, texts), survivor) for survivor in found.survivors),
        key=_by_place,
    )
    lines = [
        f"unprotected: {path_from_here(origin.file, texts)}:{origin.line}: {_survivor_text(each, stack)}"
        for origin, each in survivors
    ]
    lines += _summary(found, limits)
    # Mutants that were not run in time may survive, so they count as a finding.
    unsure = found.survivors or found.unfinished or found.was_interrupted
    reply = Reply(_data(found, survivors), "\n".join(lines), bool(unsure or found.stale or found.broken_scenes))
    return reply, tuple(found.stale)


def time_limit(minutes: float) -> Callable[[], bool]:
    """Return a function that states whether a number of minutes has passed; 0 is no limit."""
    end = time.monotonic() + minutes * MINUTE
    return lambda: bool(minutes) and time.monotonic() > end


def _by_place(pair: tuple[graph.Origin, Survivor]) -> tuple[str, int, int]:
    return pair[0].file, pair[0].line, pair[0].column


def _survivor_text(each: Survivor, stack: str) -> str:
    which = f" (place {each.nth} of {each.total} that read so)" if each.total > 1 else ""
    stack_phrase = f" (under {each.stack})" if each.stack != stack else ""
    return f"{mutant_text.alteration_text(each.mutant, each.rules)}{which}{stack_phrase}"


def _summary(found: ProtectionReport, limits: MutationLimits) -> Iterator[str]:
    """Yield the numbers of mutants by kind, and of those that were not run."""
    since, within = limits.since, in_a_row(limits.places)
    total = found.tried_mutants.total()
    yield from _noticed_lines(found, limits)
    for proof, many in _proofs(found).items():
        yield f"{many} more {'are' if many > 1 else 'is'} proved to say the same: {proof}"
    if many := len(found.listed):
        yield f"{many} more {'are' if many > 1 else 'is'} listed as equivalent by the layers"
    if found.unfinished:
        yield (
            f"left out: {found.unfinished} of {found.possible_mutants.total()} alterations, which no example noticed "
            "so far, were not tried on every card and under every stack where one may, as time was up (`--budget`) or "
            "it was interrupted; `--in PLACE`, or `--sample N` with one `--seed` after another, tries them by parts"
        )
    if found.was_interrupted:
        yield "interrupted: what other cards, readings and stacks alter or notice may be missing"
    if found.broken_scenes:
        yield f"not looked at, as they do not compile: {', '.join(found.broken_scenes)}"
    if left := found.possible_mutants.total() - total - found.unfinished:
        sample = f"one in {limits.sample}, number {limits.seed % limits.sample}"
        yield (
            f"left out: {left} of {found.possible_mutants.total()} alterations, which are not in the sample ({sample})"
        )
    if since:
        yield f"left out: all that is as it was at {since}"
    if within:
        yield f"left out: all that does not stand in {within}"
    if found.lower_layers:
        yield f"left out: {in_a_row(sorted(found.lower_layers))} below, whose own stacks answer for them"
    yield f"never altered: {'; '.join(NEVER)}"


def _proofs(found: ProtectionReport) -> Mapping[str, int]:
    """Return the number of mutants proved equivalent, by what was looked at."""
    return Counter(proof for _, proof in found.proved)


def _noticed_lines(found: ProtectionReport, limits: MutationLimits) -> Iterator[str]:
    """Yield how many mutants an example notices, by kind; or why none was tried."""
    since, within = limits.since, in_a_row(limits.places)
    total, noticed = found.tried_mutants.total(), found.count_killed.total()
    if total:
        yield f"{noticed} of {total} alterations are noticed by an example:"
        yield from _table(found)
    elif found.unfinished:
        yield "none was tried to the end"
    elif found.possible_mutants.total():
        yield f"none of {found.possible_mutants.total()} alterations was tried"
    else:
        place = f"in {within} " if within else ""
        yield f"nothing was altered: nothing {place}{f'that changed since {since} ' if since else ''}can be"


def _table(found: ProtectionReport) -> Iterator[str]:
    for kind in sorted((each for each, count in found.tried_mutants.items() if count), key=lambda kind: PLURALS[kind]):
        same = found.equivalent_counts[kind]
        also = f", {same} equivalent" if same else ""
        yield f"  {PLURALS[kind]}: {found.count_killed[kind]} of {found.tried_mutants[kind]}{also}"


def _by_kind(count: Mapping[str, int]) -> dict[str, int]:
    return {PLURALS[kind]: count[kind] for kind in sorted(count)}


def _data(found: ProtectionReport, survivors: Sequence[tuple[graph.Origin, Survivor]]) -> dict[str, Any]:
    """Return the report as data."""
    return {
        "unprotected": list(dict.fromkeys(mutant_text.subject_text(each.mutant) for _, each in survivors)),
        "unprotected_at": [
            {
                "what": each.mutant.kind,
                "name": mutant_text.subject_text(each.mutant),
                "was": mutant_text.original_text(each.mutant, each.rules),
                "now": mutant_text.altered_text(each.mutant, each.rules),
                "says": mutant_text.alteration_text(each.mutant, each.rules),
                "nth": each.nth,
                "stack": each.stack,
                "cites": list(each.mutant.cites),
                "file": origin.file,
                "line": origin.line,
            }
            for origin, each in survivors
        ],
        "made": _by_kind(found.possible_mutants),
        "altered": _by_kind(found.tried_mutants),
        "noticed": _by_kind(found.count_killed),
        "equivalent": _by_kind(found.equivalent_counts),
        "unnoticed": _by_kind(found.unnoticed_counts),
        "proved_equivalent": len(found.proved),
        "proofs": _proofs(found),
        "listed_equivalent": [
            {
                "in": entry.subject,
                "was": entry.original,
                "now": entry.replacement,
                "nth": entry.nth,
                "why": entry.reason,
            }
            for _, entry in found.listed
        ],
        "stale": [
            {
                "in": each.subject,
                "was": each.original,
                "now": each.replacement,
                "file": each.span.file,
                "line": each.span.line,
            }
            for each in found.stale
        ],
        "unfinished": found.unfinished,
        "not_compiled": list(found.broken_scenes),
        "lower_layers": sorted(found.lower_layers),
        "never_altered": list(NEVER),
    }
