"""The record and the lines of `rulewright test STACK --mutate`: survivors, mutants by kind, mutants not run."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from compiler.report.findings.missing_examples import StaleEquivalent
from rulewright.checks.mutation import mutant_text
from rulewright.checks.mutation.mutant_trials import MutationLimits
from rulewright.checks.mutation.protect import ProtectionReport, Survivor, run_own_mutants
from rulewright.library.stacks import PackageSet
from rulewright.serve.cli.console import show_progress
from rulewright.serve.cli.findings import path_from_here
from rulewright.serve.cli.termination import terminated_as_interrupted
from runtime.graph import nodes as graph
from runtime.graph.document_lines import LineText, listing
from runtime.graph.records.testing import MutationRecord
from runtime.graph.words import list_text
from runtime.mutation.mutant import PLURALS

# The parts that are never mutated, and the command that checks them instead.
NEVER = (
    "sentences, titles, gaps and how things read, which change no answer",
    "the range declared for an answer or a note, which `check` proves",
    "preconditions and `always`, which `audit` and `check` ask",
    "`preferring`, by which only greedy players choose",
    "the maps of situations, the terrain of boards and the positions of examples, which are what is given",
    "an argument that no rule of the question reads",
    "two alterations at once",
)
MINUTE = 60


def mutate_stack(
    package_set: PackageSet, stack: str, packages: Sequence[Path], limits: MutationLimits
) -> tuple[MutationRecord, tuple[StaleEquivalent, ...]]:
    """Run the mutants of a stack; return the record of what examples notice, and the stale `equivalent` entries."""
    with terminated_as_interrupted(), show_progress(f"altering {stack}", 0) as moved:
        found = run_own_mutants(package_set, stack, packages, limits, moved)
    texts = package_set.texts()
    survivors = sorted(
        ((mutant_text.origin_of(survivor.mutant, survivor.rules, texts), survivor) for survivor in found.survivors),
        key=_by_place,
    )
    return _mutation_record(found, survivors), tuple(found.stale)


def is_finding(record: MutationRecord) -> bool:
    """Return whether something may be unprotected: a mutant that was not run in time may survive."""
    unsure = record["unprotected_at"] or record["unfinished"] or record["interrupted"]
    return bool(unsure or record["stale"] or record["not_compiled"])


def time_limit(minutes: float) -> Callable[[], bool]:
    """Return a function that states whether a number of minutes has passed; 0 is no limit."""
    end = time.monotonic() + minutes * MINUTE
    return lambda: bool(minutes) and time.monotonic() > end


def _by_place(pair: tuple[graph.Origin, Survivor]) -> tuple[str, int, int]:
    return pair[0].file, pair[0].line, pair[0].column


def mutation_lines(
    record: MutationRecord, stack: str, limits: MutationLimits, texts: Mapping[str, str]
) -> Iterator[LineText]:
    """Yield the survivors, the numbers of mutants by kind, and what was left out."""
    for survivor in record["unprotected_at"]:
        which = f" (place {survivor['nth']} of {survivor['of']} that read so)" if survivor["of"] > 1 else ""
        under = f" (under {survivor['stack']})" if survivor["stack"] != stack else ""
        place = f"{path_from_here(survivor['file'], texts)}:{survivor['line']}"
        yield f"unprotected: {place}: {survivor['says']}{which}{under}"
    yield _noticed_line(record, limits)
    for proof, many in record["proofs"].items():
        yield f"{many} more {_are(many)} proved to say the same: {proof}"
    if many := len(record["listed_equivalent"]):
        yield f"{many} more {_are(many)} listed as equivalent by the layers"
    yield from _left_out_lines(record, limits)
    yield f"never altered: {'; '.join(NEVER)}"


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _left_out_lines(record: MutationRecord, limits: MutationLimits) -> Iterator[str]:
    """Yield what was not altered, or not to the end."""
    possible, unfinished = sum(record["made"].values()), record["unfinished"]
    if unfinished:
        yield (
            f"left out: {unfinished} of {possible} alterations, which no example noticed so far, were not tried in "
            "every situation and under every stack where one may, as time was up (`--budget`) or it was interrupted; "
            "`--in PLACE`, or `--sample N` with one `--seed` after another, tries them by parts"
        )
    if record["interrupted"]:
        yield "interrupted: what other situations, readings and stacks alter or notice may be missing"
    if record["not_compiled"]:
        yield f"not looked at, as they do not compile: {', '.join(record['not_compiled'])}"
    if left := possible - sum(record["altered"].values()) - unfinished:
        sample = f"one in {limits.sample}, number {limits.seed % limits.sample}"
        yield f"left out: {left} of {possible} alterations, which are not in the sample ({sample})"
    if limits.places:
        yield f"left out: all that does not stand in {list_text(limits.places)}"
    if record["lower_layers"]:
        yield f"left out: {list_text(record['lower_layers'])} below, which `test` of their own stacks alters"


def _noticed_line(record: MutationRecord, limits: MutationLimits) -> LineText:
    """Return how many mutants an example notices, by kind; or why none was tried."""
    tried, possible = sum(record["altered"].values()), sum(record["made"].values())
    if tried:
        kinds = []
        for kind in sorted(kind for kind, number in record["altered"].items() if number):
            same = record["equivalent"].get(kind)
            also = f", {same} equivalent" if same else ""
            kinds.append(f"{kind}: {record['noticed'].get(kind, 0)} of {record['altered'][kind]}{also}")
        return listing(f"{sum(record['noticed'].values())} of {tried} alterations are noticed by an example:", kinds)
    if record["unfinished"]:
        return "none was tried to the end"
    if possible:
        return f"none of {possible} alterations was tried"
    place = f"in {list_text(limits.places)} " if limits.places else ""
    return f"nothing was altered: nothing {place}can be"


def _by_kind(count: Mapping[str, int]) -> dict[str, int]:
    return {PLURALS[kind]: count[kind] for kind in sorted(count)}


def _mutation_record(found: ProtectionReport, survivors: Sequence[tuple[graph.Origin, Survivor]]) -> MutationRecord:
    """Return the report as its record."""
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
                "of": each.total,
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
        "proofs": dict(Counter(proof for _, proof in found.proved)),
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
        "interrupted": found.was_interrupted,
        "not_compiled": list(found.broken_scenes),
        "lower_layers": sorted(found.lower_layers),
        "never_altered": list(NEVER),
    }
