"""Bounds of a report: so many findings alike, and so much of any text.

In: the diagnostics of a run, in their order. Out: the same without excess: equal findings beyond a few
become one that counts them, of one code so many are told, and a word or a message without end is cut.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from compiler.report.diagnostic import Diagnostic

# Equal findings that are told one by one, and findings of one code.
MOST_EQUAL, MOST_OF_A_CODE = 5, 100
# Signs of a word, and of a message.
LONGEST_WORD, LONGEST = 120, 2_000
MOST_LINES = 200  # Of an explanation.
_WORD = re.compile(rf"\S{{{LONGEST_WORD},}}")


def bounded_report(found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Leave out what says nothing more; the last of those that stay says how many were."""
    equal = Counter((each.code, each.message) for each in found)
    of_code = Counter(each.code for each in found)
    told: Counter[tuple[str, str]] = Counter()
    shown: Counter[str] = Counter()
    kept: list[Diagnostic] = []
    for each in found:
        same, more = (each.code, each.message), ""
        told[same] += 1
        if equal[same] > MOST_EQUAL:
            if told[same] > 1:
                continue
            more = f" (here, and in {equal[same] - 1} places more)"
        shown[each.code] += 1
        if shown[each.code] > MOST_OF_A_CODE:
            continue
        if shown[each.code] == MOST_OF_A_CODE and of_code[each.code] > MOST_OF_A_CODE:
            more += f" (further findings {each.code} are not shown)"
        kept.append(_cut(replace(each, message=shortened(each.message) + more) if more else each))
    return kept


def shortened(text: str) -> str:
    """Return a text with long words cut in their middle, and its end left out if it is long."""
    if len(text) <= LONGEST_WORD:
        return text
    text = _WORD.sub(lambda word: f"{word[0][: LONGEST_WORD // 2]}…{word[0][-8:]}", text)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 200]} … {text[-100:]}"


def shortened_lines(text: str) -> str:
    """Return a text of lines with long lines cut, and without the lines beyond `MOST_LINES`."""
    lines = text.split("\n")
    kept = [shortened(line) for line in lines[:MOST_LINES]]
    return "\n".join([*kept, *([f"… and {len(lines) - MOST_LINES} more lines"] if len(lines) > MOST_LINES else [])])


def _cut(each: Diagnostic) -> Diagnostic:
    """Shorten what a finding says."""
    if (
        len(each.message) <= LONGEST_WORD
        and len(each.help) <= LONGEST_WORD
        and len(each.why) <= LONGEST
        and len(each.spans) <= MOST_OF_A_CODE
    ):
        return each
    spans = tuple(replace(label, text=shortened(label.text)) for label in each.spans[:MOST_OF_A_CODE])
    why = shortened_lines(each.why)
    return replace(each, message=shortened(each.message), help=shortened(each.help), spans=spans, why=why)
