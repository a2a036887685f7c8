"""`rulewright editor`: what an editor starts to have rules checked and explained while they are written."""

from pathlib import Path

from rulewright.cli.console import Reply


def editor(packages: list[Path]) -> Reply:
    """Serve one editor over standard input and output, by the Language Server Protocol; docs/editor.md sets it up."""
    from rulewright.errors import UsageError

    try:
        from rulewright.editor.server import serve
    except ImportError:
        wanted = 'install rulewright with the extra `editor`, as in `pip install "rulewright[editor]"`'
        raise UsageError(f"an editor is served with pygls: {wanted}") from None
    serve(packages)
    return Reply({}, "")
