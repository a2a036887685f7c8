"""`rulewright reference STACK --out DIR`: write the rulebook."""

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rulewright.serve.cli.arguments import OutOption, StackName
from rulewright.serve.cli.console import Reply, print_note
from rulewright.system.errors import UsageError
from runtime.graph.document import DocumentBlock
from runtime.graph.document_lines import listing, reply_block
from runtime.graph.records.findings import FindingsRecord
from runtime.graph.records.packages import BookRecord

if TYPE_CHECKING:
    from compiler.rulebook.booklet import Baseline
    from rulewright.library.stacks import PackageSet, Stack

# The most items without a document that are listed; the others are counted.
MOST_LISTED = 20
# The editions, and why a stack may not have one.
EDITIONS = {
    "player": "every stack has one",
    "umpire": "every stack has one",
    "card": "no layer of this stack says what stands on the card (`card:` in layer.yaml)",
    "charts": "this stack has no chart",
    "counters": "this stack has no counters",
    "changes": "it needs --against",
}


def reference(
    stack: StackName,
    out: OutOption,
    packages: list[Path],
    against: Annotated[
        str | None,
        typer.Option(
            metavar="STACK|DAY",
            help="Also print what changed since this stack, or since a day such as 2026-11-20.",
        ),
    ] = None,
    base_path: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="DIR", exists=True, file_okay=False,
            help="Read the stack of --against from this folder: an older edition of the same STACK, if --against "
            "names no other. May be repeated.",
        ),
    ] = None,
    pdf: Annotated[
        bool,
        typer.Option("--pdf", help="Also write every edition as PDF; with --against, also the changes."),
    ] = False,
    edition: Annotated[
        list[str] | None,
        typer.Option(
            metavar="|".join(EDITIONS),
            help="Write only this edition as PDF: the rules in sentences for players, everything for an umpire, the "
            "quick-reference card, the charts, counters to cut out. May be repeated.",
        ),
    ] = None,
    sources: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", exists=True, file_okay=False,
            help="Print the sources' own words, from your files, beside the rules and rulings that cite them.",
        ),
    ] = None,
    live: Annotated[
        bool,
        typer.Option(
            help="Make examples, questions and charts interactive on the pages, with the rules as WebAssembly; the "
            "first time takes some seconds."
        ),
    ] = True,
    markdown: Annotated[bool, typer.Option("--markdown", help="Also write pages for a wiki.")] = False,
) -> Reply[BookRecord] | Reply[FindingsRecord]:  # fmt: skip
    """Write the rulebook of STACK as web pages that need no server.

    It plays the examples first. It stops at one that fails, and at a rule without sentence, source or example.

    Example: rulewright reference low_tide --out low_tide_book
    """
    from rulewright.book.book_files import Edition, Forms, write_reference
    from rulewright.library.editions import is_day
    from rulewright.library.stack_names import named_stack
    from rulewright.library.stacks import load_from, open_packages
    from rulewright.serve.cli.findings import reply_with
    from rulewright.system.environment import require_extra

    gather = _gatherer() if live else None
    editions = _editions(edition or [], every=pdf)
    if editions:
        require_extra("pdf")
    name, folders = named_stack(stack)
    day = against if against and is_day(against) else ""
    base, other = named_stack(against) if against and not day else (name if base_path or day else "", [])
    package_set = open_packages((*packages, *folders, *([] if base_path else other)))
    loaded = load_from(package_set, name).require_usable()
    baseline = _baseline(loaded, package_set, base, day, base_path or [], other, packages) if base else None
    written = write_reference(
        package_set, loaded, baseline, out, Forms(tuple(map(Edition, editions)), markdown, gather, sources)
    )
    if written.obstacles:
        return reply_with(written.obstacles, loaded.texts)
    return _book_reply(written.record, out, edition or [], sources)


def _baseline(
    loaded: "Stack", package_set: "PackageSet", base: str, day: str, base_folders: list[Path], more: list[Path],
    packages: list[Path],
) -> "Baseline":  # fmt: skip
    """Compare a stack with `base`: of a day, as the folders of an older edition have it, or of today.

    `more` are further packages of the older edition, `packages` have the layers that it lacks.
    """
    from rulewright.lab.contrast.baseline_differences import compare_stacks
    from rulewright.library.editions import editions_of
    from rulewright.library.shipped_folders import rules_folder
    from rulewright.library.stacks import load_from, open_edition

    folders = (rules_folder(), *package_set.folders)
    with editions_of(day, folders) if day else nullcontext(base_folders) as older_folders:
        older = open_edition((*older_folders, *more), packages, base) if older_folders else package_set
        return compare_stacks(loaded, load_from(older, base).require_usable(), day)


def _book_reply(record: BookRecord, out: Path, named_editions: list[str], sources: Path | None) -> Reply[BookRecord]:
    """Return the reply that lists what was written, and which editions the stack does not have."""
    record["absent"] = [name for name in named_editions if f"{name}.pdf" not in record["files"]]

    def block(record: BookRecord) -> DocumentBlock:
        printed = [str(out / name) for name in record["files"] if name.endswith(".pdf")]
        return reply_block(
            f"{record['pages']} pages, {record['anchors']} anchors; begin with {out / 'index.html'}",
            listing("printed:", printed) if printed else "",
            f"the words of {record['quoted']} of {record['cited']} cited items are printed from {sources}"
            if sources
            else "",
            f"no document has an item {_few(record['unknown'])}" if record.get("unknown") else "",
            _without_anchors(record["without_anchors"]) if record.get("without_anchors") else "",
            *(f"no {name}.pdf: {EDITIONS[name]}" for name in record["absent"]),
        )

    return Reply(record, block)


def _gatherer() -> Any:
    """Return the function that compiles the questions of live pages; None, with a note, if that is not possible."""
    from rulewright.games.engines import MISSING_ENGINE, is_engine_available

    if not is_engine_available():
        print_note(f"{MISSING_ENGINE}: pages show what was answered, and cannot be asked anew")
        return None
    from rulewright.book.live.gather import gather_live  # It imports wasmtime.

    return gather_live


def _without_anchors(files: list[str]) -> str:
    """Return a message on files without an anchor, with the form of one."""
    return f"printed nothing of {_few(files)}: no line there begins the text of an item, as `## QA.MOVE.02` does"


def _few(items: list[str]) -> str:
    """Format the first `MOST_LISTED` items, and the number of the others."""
    more = f" and {len(items) - MOST_LISTED} more" if len(items) > MOST_LISTED else ""
    return f"{', '.join(items[:MOST_LISTED])}{more}"


def _editions(named: list[str], *, every: bool) -> list[str]:
    """Return the editions to print; `UsageError` for an unknown one."""
    unknown = [name for name in named if name not in EDITIONS]
    if unknown:
        raise UsageError(f"there is no edition {unknown[0]}; there are {', '.join(EDITIONS)}")
    return list(EDITIONS) if every else named
