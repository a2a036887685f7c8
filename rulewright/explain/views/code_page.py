"""The page of `explain` on a code.

In: a code, or the slug of its page. Out: the page as text.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from compiler.report.codes import known_findings
from compiler.source.suggestions import nearest_names
from rulewright.explain.views.declaration_text import declaring_layers
from rulewright.explain.views.pages import COMPOUND_NAME
from rulewright.library.shipped_folders import codes_folder
from rulewright.library.stacks import open_packages
from rulewright.system.errors import UsageError, suggestion_text
from runtime.graph import words


def is_code(text: str) -> bool:
    """Return whether a text is a code instead of the name of a stack."""
    return text.upper() in {facts.code.number for facts in known_findings()}


def code_page(number: str, packages: Sequence[Path]) -> str | None:
    """Return the page of a code; None for a text that resembles neither a code nor a stack."""
    known = {facts.code.number: facts.code for facts in known_findings()}
    named = {code.slug: code for code in known.values()}
    code = known.get(number.upper()) or named.get(number.lower())
    if code is None:
        if message := _no_code(number, [*known, *named], packages):
            raise UsageError(message)
        return None
    page = codes_folder() / code.page
    if not page.is_file():
        return f"{code.number}: {code.slug.replace('-', ' ')}"
    return page.read_text(encoding="utf-8").rstrip()


def _no_code(number: str, known: list[str], packages: Sequence[Path]) -> str:
    """Return a message with suggestions for a text that is no code; "" if it is a query for books."""
    if re.fullmatch(r"[Rr]?\d+", number):
        return f"there is no code `{number}`; {suggestion_text(number.upper(), known)}"
    package_set = open_packages(packages)
    if not package_set.missing_layers(number):
        return f"`{number}` is a stack; what of it? `explain {number} NAME`"
    if suggestions := nearest_names(number.lower(), known):
        return (
            f"there is no code `{number}`; did you mean {words.list_text([f'`{name}`' for name in suggestions], 'or')}?"
        )
    if " " not in number and (suggestions := nearest_names(number.lower(), list(package_set.library.layers))):
        return (
            f"there is no stack `{number}`; did you mean "
            f"{words.list_text([f'`{name}`' for name in suggestions], 'or')}?"
        )
    if re.fullmatch(COMPOUND_NAME, number):
        layers = words.list_text([f"`{layer}`" for layer in declaring_layers(package_set.library, number)])
        has_it = f"; {layers} has that name" if layers else ""
        return f"there is no code `{number}`{has_it}; for what has a name, write its stack first: `explain STACK NAME`"
    return ""
