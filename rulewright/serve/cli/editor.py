"""`rulewright editor`: what an editor starts to have rules checked and explained while they are written."""

from pathlib import Path

from compiler.analysis.budgets import MOST_PROOF_STEPS
from rulewright.serve.cli.arguments import ProofSteps


def editor(packages: list[Path], steps: ProofSteps = MOST_PROOF_STEPS) -> None:
    """Serve your editor by the Language Server Protocol.

    Your editor starts it, and talks to it over standard input and output: see docs/editor.md.

    Example: rulewright editor
    """
    from rulewright.system.environment import command_for, require_extra
    from rulewright.system.errors import UsageError

    require_extra("editor")
    try:
        from rulewright.serve.editor.server import serve_editor
    except ImportError:
        raise UsageError(f"an editor is served with pygls, which is not here: {command_for('editor')}") from None
    serve_editor(packages, steps)
