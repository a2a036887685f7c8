"""`rulewright fmt PATH..`: lay out .rules files one way."""

from pathlib import Path
from typing import Annotated

import typer

from rulewright.serve.cli.console import Reply
from runtime.graph.records.findings import FormattedFilesRecord


def fmt(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Files, or folders of them.")],
    check: Annotated[bool, typer.Option("--check", help="Write nothing; list the files that would change.")] = False,
) -> Reply[FormattedFilesRecord]:
    """Format .rules files; only white space changes.

    Files with errors are left alone.

    Example: rulewright fmt --check my_variant
    """
    from compiler.report.diagnose import diagnose
    from rulewright.serve.cli.findings import findings_block, findings_record, has_error
    from rulewright.system.atomic_files import save_text
    from rulewright.write.formatting import format_paths

    results = list(format_paths(paths))
    changed = [each for each in results if each.is_changed]
    if not check:
        for each in changed:
            save_text(each.file.path, each.new_text)
    texts = {each.file.name: each.old_text for each in results}
    found = diagnose([problem for each in results for problem in each.problems], texts)
    verb = "would change" if check else "formatted"
    lines = [f"{verb} {each.file.name}" for each in changed]
    count = f"{len(changed)} of {len(results)} files {'would change' if check else 'changed'}"
    record: FormattedFilesRecord = {
        "files": len(results),
        "changed": [each.file.name for each in changed],
        **findings_record(found),
    }
    return Reply(
        record,
        lambda _: findings_block(found, texts, *lines, count),
        findings=has_error(found) or (check and bool(changed)),
    )
