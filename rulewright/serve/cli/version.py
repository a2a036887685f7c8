"""`rulewright version`: the facts for a bug report."""

import platform

from rulewright import __version__
from rulewright.serve.cli.console import Reply
from runtime.graph.document import DocumentBlock
from runtime.graph.document_lines import reply_block, row_lines
from runtime.graph.records.packages import VersionRecord


def version() -> Reply[VersionRecord]:
    """Show the versions of Rulewright and Python, and where the rules are.

    Example: rulewright version
    """
    from rulewright.library.shipped_folders import rules_folder

    record: VersionRecord = {
        "rulewright": __version__,
        "python": platform.python_version(),
        "rules": str(rules_folder()),
    }
    return Reply(record, _version_block)


def _version_block(record: VersionRecord) -> DocumentBlock:
    """Show a fact in each line."""
    return reply_block(*row_lines([(name, str(fact)) for name, fact in record.items()]))
