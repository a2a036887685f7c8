"""Lists of conditions and steps in typst markup."""

from collections.abc import Iterable

from compiler.rulebook.paper.typeset import escape
from compiler.rulebook.steps import ProcedureLine


def counted_text(lines: Iterable[ProcedureLine]) -> str:
    """Render the enumerated lines among steps as a list; "" if there are none."""
    items = [f"[{escape(line.text)} {counted_text(line.inside)}]" for line in lines if line.counted]
    return f"#list({', '.join(items)})" if items else ""
