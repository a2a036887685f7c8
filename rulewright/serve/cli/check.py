"""`rulewright check STACK`: compile and prove."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from compiler.analysis.budgets import MOST_PROOF_STEPS
from rulewright.serve.cli.arguments import ProofSteps, StackName
from rulewright.serve.cli.console import Reply, ReplyFormat, print_error, print_note, print_reply
from rulewright.system.errors import UsageError
from runtime.graph.document import DocumentBlock
from runtime.graph.document_lines import LineText, listing, reply_block
from runtime.graph.records.findings import (
    CheckedCardsRecord,
    CheckRecord,
    ChecksumsRecord,
    MismatchRecord,
    RevisionRecord,
)
from runtime.graph.words import counted_noun, list_text

if TYPE_CHECKING:
    from compiler.report.diagnostic import Diagnostic
    from rulewright.checks.checking import CheckReport

WATCHING = "waiting for a file to be saved; Ctrl-C ends"
MOST_FILES = 4  # Files that are named.
# The most situations that are listed by name; of more, the number is reported.
MOST_NAMED_CARDS = 6
MOST_MISMATCHES = 12  # Differences from checksums that are listed.


def check(
    stack: StackName,
    packages: list[Path],
    witnesses: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Save the positions that show findings in this folder.")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 1 on warnings, too.")] = False,
    lines: Annotated[bool, typer.Option("--lines", help="Print one line per finding, as compilers do.")] = False,
    steps: ProofSteps = MOST_PROOF_STEPS,
    since: Annotated[
        str,
        typer.Option(
            metavar="REV", help="Compare sentences and laws with this git revision instead of the last commit."
        ),
    ] = "",
    alone: Annotated[bool, typer.Option("--alone", help="Compare with neither a revision nor checksums.")] = False,
    accept: Annotated[
        bool, typer.Option("--accept", help="Store checksums of the files of STACK as they are; see R0595.")
    ] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Keep running, and check again whenever a file of the rules is saved.")
    ] = False,
    form: ReplyFormat = ReplyFormat.TEXT,
) -> Reply[CheckRecord] | Reply[ChecksumsRecord]:
    """Check STACK and its situations: names, types, contradictions, gaps.

    It also compiles the stacks that examples of its layers name, so that `test` can run them. Where git keeps the
    rules, it reports each sentence that changed since the last commit without its law, and each law that changed
    without its sentence. After --accept it reports the same by checksums, with git or without it. Of a single layer it
    also says which options and variants on it no longer compile; it does not prove these. In place of STACK, a
    situation means the rules that it is written for: they are checked with all of their situations.

    Example: rulewright check panzer_leader+opportunity_fire
    """
    if alone and since:
        raise UsageError("`--since` and `--alone` exclude each other")
    if accept and watch:
        raise UsageError("`--accept` and `--watch` exclude each other")
    if accept:
        return _accept_checksums(stack, packages)
    stack = _rules_of_card(stack, packages) or stack

    def make_reply() -> Reply[CheckRecord]:
        from rulewright.checks.checking import check_since_revision, check_stack

        on_proved = _report_proved if watch and form is ReplyFormat.TEXT else None
        if alone:
            report = check_stack(stack, packages, steps, witnesses, on_proved)
        else:
            report = check_since_revision(stack, packages, steps, witnesses, since, on_proved)
        return _check_reply(report, strict=strict, lines=lines, since=since)

    return _watch(stack, packages, make_reply, form) if watch else make_reply()


def _rules_of_card(name: str, packages: list[Path]) -> str:
    """Return the rules that a card is written for, after a note that these are checked; "" if it is no card's name."""
    from rulewright.library.stacks import open_packages

    library = open_packages(packages).library
    card = library.scenarios.get(name) if name not in library.layers else None
    if card is None:
        return ""
    print_note(f"`{name}` is a situation of `{card.uses.text}`: these rules are checked, with all of their situations")
    return str(card.uses.text)


def _watch(stack: str, packages: list[Path], reply: Callable[[], Reply[CheckRecord]], form: ReplyFormat) -> NoReturn:
    """Reply now and after each change of a file; an interrupt exits with the code of the last reply."""
    from rulewright.checks import trace_store
    from rulewright.library import cache
    from rulewright.library.stacks import roots_of
    from rulewright.system.folder_monitor import FolderMonitor

    monitor = FolderMonitor(roots_of(stack, packages))
    code = print_reply(reply(), form)
    with suppress(KeyboardInterrupt):
        print_note(WATCHING)
        for changed in monitor.changes():
            print_note(f"\n{time.strftime('%H:%M:%S')} {_changed_files_text(changed)}")
            try:
                code = print_reply(reply(), form)
            except UsageError as error:  # A manifest may be half renamed; the next change may complete it.
                code = print_error(str(error))
            print_note(WATCHING)
            cache.write_pending()
            trace_store.store.write_traces()
    raise typer.Exit(code)


def _report_proved(found: Sequence["Diagnostic"]) -> None:
    """Print the findings on rules, one per line, before those on play, which take as long again."""
    from compiler.report.render.line import diagnostic_line
    from rulewright.serve.cli.findings import count_findings

    print_note(
        "\n".join(
            (
                f"rules proved: {count_findings(found)} so far; looking at situations and examples ..",
                *map(diagnostic_line, found),
            )
        )
    )


def _changed_files_text(changed: Sequence[str]) -> str:
    """Format the names of the changed files."""
    some = ", ".join(Path(name).name for name in changed[:MOST_FILES])
    return f"{some} and {len(changed) - MOST_FILES} more changed" if len(changed) > MOST_FILES else f"{some} changed"


def _check_reply(report: "CheckReport", *, strict: bool, lines: bool, since: str) -> Reply[CheckRecord]:
    """Return the reply with the result of a check."""
    from compiler.report.render.line import diagnostic_line
    from rulewright.checks.proofs import skipped_checks
    from rulewright.checks.revisions.accepted_differences import mismatch_text
    from rulewright.serve.cli.findings import count_findings, findings_block, findings_record, has_error, with_paths

    found = report.diagnostics
    record: CheckRecord = {
        **findings_record(found),
        "skipped": [{"check": each.check, "why": each.reason} for each in skipped_checks(report.open_questions)],
        "compared": report.comparison.record() if report.comparison else None,
        "cards": report.cards.record(),
        "differing": [
            {"file": mismatch.span.file, "line": mismatch.span.line, "what": mismatch_text(mismatch)}
            for mismatch in report.mismatches
        ],
        "layers on it": report.dependents.record(),
        "stack": report.stack,
        "chosen_readings": report.chosen_readings,
    }

    def block(record: CheckRecord) -> DocumentBlock:
        if lines:
            return reply_block(*map(diagnostic_line, with_paths(found, report.texts)[0]))
        return findings_block(found, report.texts, count_findings(found), *_last_lines(record, report, since))

    return Reply(record, block, findings=has_error(found) or (strict and bool(found)))


def _last_lines(record: CheckRecord, report: "CheckReport", since: str) -> Iterator[LineText]:
    """Yield what a check tells besides findings: what it looked at, what it did not, and what to read again."""
    from rulewright.serve.cli.findings import page_with_paths

    stack = record["stack"]
    yield from (f"skipped: {each['check']}: {each['why']}" for each in record["skipped"])
    yield _cards_text(record["cards"])
    if broken := record["layers on it"]["broken"]:
        verb = "does" if len(broken) == 1 else "do"
        count = f"{len(broken)} of the {record['layers on it']['compiled']} layers on it"
        yield listing(
            f"{count} {verb} not compile; each was compiled alone, and nothing on it was proved:",
            [f"{each['layer']}: {page_with_paths(each['error'], report.texts)}" for each in broken],
        )
    if record["cards"]["looked_at"] and not record["errors"]:
        yield f"no game was played to its end: `audit {stack} -n 2` plays two of each situation"
    if record["differing"]:
        yield from _mismatch_lines(record["differing"], report.texts)
    compared = record["compared"]
    if compared and (since or compared["differ"] or compared["new"] or compared["removed"]):
        yield _comparison_text(compared)
    if readings := record["chosen_readings"]:
        settled = f"{counted_noun(readings, 'contradiction')} of the sources settled by choice"
        yield f"{settled}: `disputes {stack}` lists them"


def _comparison_text(record: RevisionRecord) -> str:
    """Format a comparison as a line."""
    left_out = f"{list_text(record['left_out'])} were not compared"
    if record["absent"]:
        left_out += f", nor what git has no {record['revision']} of: {', '.join(record['absent'])}"
    if record["alone"]:
        left_out += f"; {record['alone']} sentences, laws and citations changed alone, too many to tell one by one"
    differ = "differs" if record["differ"] == 1 else "differ"
    numbers = {differ: record["differ"], "new": record["new"], "gone": record["removed"]}
    counts = ", ".join(f"{count} {word}" for word, count in numbers.items() if count)
    if not counts:
        return f"the rules are as at {record['revision']}; {left_out}"
    return f"declarations compared with {record['revision']}: {counts}; {left_out}"


def _cards_text(cards: CheckedCardsRecord) -> str:
    """Format which situations were looked at, and for each other one the check that looks at it."""
    if not cards["looked_at"]:
        return ""
    parts = (f"{_names_text(names)} (`check {stack}`)" for stack, names in cards["others"].items())
    others = f"; not looked at beside them: {', '.join(parts)}" if cards["others"] else ""
    return f"situations looked at: {_names_text(cards['looked_at'])}{others}"


def _names_text(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) <= MOST_NAMED_CARDS else f"{len(names)} situations"


def _mismatch_lines(mismatches: Sequence[MismatchRecord], texts: Mapping[str, str]) -> Iterator[LineText]:
    """Yield the parts that differ from their checksums, the first of them with their places, and what to do."""
    from rulewright.serve.cli.findings import path_from_here

    count = len(mismatches)
    differ = "part of the files differs" if count == 1 else "parts of the files differ"
    entries = [
        f"{path_from_here(each['file'], texts)}:{each['line']}: {each['what']}" for each in mismatches[:MOST_MISMATCHES]
    ]
    if count > MOST_MISMATCHES:
        entries.append(f"and {count - MOST_MISMATCHES} more: `--format json` lists them")
    yield listing(f"{count} {differ} from the checksums:", entries)
    them = "it" if count == 1 else "each of them"
    yield f"Read {them} again and run `test`. Take back what is not meant; `--accept` then writes new checksums."


def _accept_checksums(stack: str, packages: list[Path]) -> Reply[ChecksumsRecord]:
    """Write the checksums of the files of a stack."""
    from rulewright.checks.revisions.accepted_differences import files_of
    from rulewright.checks.revisions.checksums import accept_checksums
    from rulewright.library.shipped_folders import rules_folder
    from rulewright.library.stacks import packages_for

    package_set, name = packages_for(stack, packages)
    package_set.require_layers(name)
    texts = [(path, text) for path, _, text in files_of(package_set.library, name)]
    written = accept_checksums(texts, [*packages, rules_folder()])
    record: ChecksumsRecord = {"files": len(texts), "written": [str(each) for each in written]}
    return Reply(record, lambda _: reply_block(f"checksums of {len(texts)} files: {', '.join(record['written'])}"))
