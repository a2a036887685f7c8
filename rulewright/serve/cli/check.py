"""`rulewright check STACK`: compile and prove."""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from compiler.analysis.budgets import MOST_PROOF_STEPS
from rulewright.serve.cli.arguments import ProofSteps, StackName
from rulewright.serve.cli.console import Reply, ReplyFormat, print_error, print_note, print_reply
from rulewright.system.errors import UsageError

if TYPE_CHECKING:
    from compiler.report.diagnostic import Diagnostic
    from rulewright.checks.checking import CheckReport

WATCHING = "waiting for a file to be saved; Ctrl-C ends"
MOST_FILES = 4  # Files that are named.
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
) -> Reply:
    """Check STACK and its cards: names, types, contradictions, gaps.

    It also compiles the stacks that examples of its layers name, so that `test` can run them. Where git keeps the
    rules, it reports each sentence that changed since the last commit without its law, and each law that changed
    without its sentence. After --accept it reports the same by checksums, with git or without it. Of a single layer it
    also says which options and variants on it no longer compile; it does not prove these. In place of STACK, a
    card by name means the rules that it is written for: they are checked with all of their cards.

    Example: rulewright check panzer_leader+opportunity_fire
    """
    if alone and since:
        raise UsageError("`--since` and `--alone` exclude each other")
    if accept and watch:
        raise UsageError("`--accept` and `--watch` exclude each other")
    if accept:
        return _accept_checksums(stack, packages)
    stack = _rules_of_card(stack, packages) or stack

    def make_reply() -> Reply:
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
    print_note(f"`{name}` is a card of `{card.uses.text}`: these rules are checked, with all of their cards")
    return str(card.uses.text)


def _watch(stack: str, packages: list[Path], reply: Callable[[], Reply], form: ReplyFormat) -> NoReturn:
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
                f"rules proved: {count_findings(found)} so far; looking at cards and examples ..",
                *map(diagnostic_line, found),
            )
        )
    )


def _changed_files_text(changed: Sequence[str]) -> str:
    """Format the names of the changed files."""
    some = ", ".join(Path(name).name for name in changed[:MOST_FILES])
    return f"{some} and {len(changed) - MOST_FILES} more changed" if len(changed) > MOST_FILES else f"{some} changed"


def _check_reply(report: "CheckReport", *, strict: bool, lines: bool, since: str) -> Reply:
    """Return the reply with the result of a check."""
    from compiler.report.render.line import diagnostic_line
    from rulewright.checks.proofs import skipped_checks
    from rulewright.checks.revisions.accepted_differences import mismatch_text
    from rulewright.serve.cli.findings import as_data, as_text, count_findings, has_error, with_paths

    found, skipped = report.diagnostics, skipped_checks(report.open_questions)
    failed = has_error(found) or (strict and bool(found))
    data = as_data(found) | {"skipped": [{"check": each.check, "why": each.reason} for each in skipped]}
    data["compared"] = report.comparison and report.comparison.data()
    data["cards"] = report.cards.data() | {"games_played": 0}
    data["notes"] = list(report.notes)
    data["differing"] = [
        {"file": mismatch.span.file, "line": mismatch.span.line, "what": mismatch_text(mismatch)}
        for mismatch in report.mismatches
    ]
    data["layers on it"] = report.dependents.data()
    if lines:
        return Reply(data, "\n".join(map(diagnostic_line, with_paths(found, report.texts)[0])), findings=failed)
    notes = (
        *(f"skipped: {each.check}: {each.reason}" for each in skipped),
        report.cards.summary(),
        _dependents_text(report),
    )
    if report.cards.cards and not failed:
        notes = (*notes, f"no game was played to its end: `audit {report.stack} -n 2` plays two of each card")
    counted = "\n".join((count_findings(found), *report.notes, *filter(None, notes)))
    if report.mismatches:
        counted = f"{counted}\n{_mismatch_text(report)}"
    if report.comparison and (since or report.comparison.is_different):
        counted = f"{counted}\n{report.comparison.summary()}"
    return Reply(data, as_text(found, report.texts, _last_line(counted, report)), findings=failed)


def _dependents_text(report: "CheckReport") -> str:
    """Format the layers on the checked one that have errors, and what was looked at; "" if there are none."""
    from compiler.report.render.line import diagnostic_line
    from rulewright.serve.cli.findings import with_paths

    dependents = report.dependents
    if not dependents.broken:
        return ""
    count = f"{len(dependents.broken)} of the {dependents.compiled} layers on it"
    verb = "does" if len(dependents.broken) == 1 else "do"
    errors, _ = with_paths([error for _, error in dependents.broken], report.texts)
    lines = [f"{count} {verb} not compile; each was compiled alone, and nothing on it was proved:"]
    lines += (f"  {name}: {diagnostic_line(error)}" for (name, _), error in zip(dependents.broken, errors, strict=True))
    return "\n".join(lines)


def _mismatch_text(report: "CheckReport") -> str:
    """Format the parts that differ from their checksums, the first of them with their places, and what to do."""
    from rulewright.checks.revisions.accepted_differences import mismatch_text
    from rulewright.serve.cli.findings import path_from_here

    count = len(report.mismatches)
    differ = "part of the files differs" if count == 1 else "parts of the files differ"
    lines = [f"{count} {differ} from the checksums:"]
    lines += (
        f"  {path_from_here(mismatch.span.file, report.texts)}:{mismatch.span.line}: {mismatch_text(mismatch)}"
        for mismatch in report.mismatches[:MOST_MISMATCHES]
    )
    if count > MOST_MISMATCHES:
        lines.append(f"  and {count - MOST_MISMATCHES} more: `--format json` lists them")
    lines.append(
        "Read each of them once more and run `test`. Take back what is not meant; `--accept` then takes new checksums."
    )
    return "\n".join(lines)


def _accept_checksums(stack: str, packages: list[Path]) -> Reply:
    """Write the checksums of the files of a stack."""
    from rulewright.checks.revisions.accepted_differences import files_of
    from rulewright.checks.revisions.checksums import accept_checksums
    from rulewright.library.shipped_folders import rules_folder
    from rulewright.library.stacks import packages_for

    package_set, name = packages_for(stack, packages)
    package_set.require_layers(name)
    texts = [(path, text) for path, _, text in files_of(package_set.library, name)]
    written = accept_checksums(texts, [*packages, rules_folder()])
    message = f"checksums of {len(texts)} files: {', '.join(map(str, written))}"
    return Reply({"files": len(texts), "written": [str(each) for each in written]}, message)


def _last_line(counted: str, report: "CheckReport") -> str:
    """Format the number of findings, and of contradictions between sources, which are no errors of the rules."""
    count = report.chosen_readings
    if not count:
        return counted
    sentence = f"{count} contradiction{'s' if count > 1 else ''} of the sources settled by choice"
    return f"{counted}\n{sentence}: `disputes {report.stack}` lists them"
