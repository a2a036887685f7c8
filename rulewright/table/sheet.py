"""The sheet before the dice: what a choice leads to, the rules behind each figure, and the chance of each result.

In: a preview, and the width of the screen. Out: lines. Nothing here looks at a position: all is in the preview.
"""

from collections.abc import Iterator

from runtime.answer.reasons import AppliedRule
from runtime.graph import words
from runtime.play.previews import AccountPreview, Preview, chances_text

HOUSE = "house"
MOST = 3  # Paragraphs behind a sentence; who wants all asks `explain`.


def lines(preview: Preview) -> Iterator[str]:
    """Write the sheet of a choice; no line where nothing is told of it."""
    told = [sheet for sheet in preview.sheets if sheet.text or sheet.chances]
    for sheet in told:
        yield from _sheet(sheet, preview)
    if told and preview.stopped:
        yield f"  ({preview.stopped})"


def _sheet(sheet: AccountPreview, preview: Preview) -> Iterator[str]:
    """Write one account: its sentence, the rules behind its figures, and the chances."""
    yield f"  {sheet.text}{bracketed_sources(sheet.cites)}".rstrip()
    seen: set[str] = set()
    for field in sheet.fields:
        reasons = field.reasons if field.name in sheet.said else ()
        told = [each for each in reasons if each.label not in seen and _is_printed(each)]
        seen.update(each.label for each in told)
        if told:
            yield f"    {words.spaced(field.name)} {field.said}:"
        yield from (f"      {_said(each)}{bracketed_sources(each.cites)}" for each in told)
    yield from (f"    {each}" for each in chances_text(sheet, sampled=bool(preview.sampled)))
    if sheet.chances and preview.sampled:
        yield f"    (too many results to list: {preview.sampled} of them were tried)"


def _said(reason: AppliedRule) -> str:
    """Write the sentence of a rule, with what it adds."""
    return f"{reason.prose} ({reason.says})" if reason.says.startswith(("+", "-")) else reason.prose


def _is_printed(reason: AppliedRule) -> bool:
    """Say whether a rule stands in a rulebook, and says something."""
    return bool(reason.prose) and any(cite != HOUSE for cite in reason.cites)


def bracketed_sources(cites: tuple[str, ...]) -> str:
    """Write paragraphs behind a sentence; what a house rule cites nobody can look up."""
    shown = [cite for cite in cites if cite != HOUSE]
    return f" [{', '.join(shown[:MOST])}{', ..' if len(shown) > MOST else ''}]" if shown else ""
