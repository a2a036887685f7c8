"""Limit the size of a report: the number of equal findings, and the length of any text.

The input is the diagnostics of a run, in order; the output is the same without excess: equal findings beyond a few
become one with their number, findings of one code are limited, and long words and messages are truncated.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from compiler.report.diagnostic import Diagnostic
from runtime.graph.words import counted_noun

# The number of equal findings that are reported separately, and of findings of one code.
MOST_EQUAL, MOST_OF_A_CODE = 5, 100
# The maximal length of a word, and of a message.
LONGEST_WORD, LONGEST_MESSAGE = 120, 2_000
LINES_SHOWN = 200  # Of an explanation.
# The names within a path count one by one: a reader needs the whole path of the file that an error is about.
_WORD = re.compile(rf"[^\s/\\]{{{LONGEST_WORD},}}")


def bounded_report(found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Remove redundant findings; the last remaining one states how many were removed."""
    equal = Counter((each.code, each.message) for each in found)
    of_code = Counter(each.code for each in found)
    message_counts: Counter[tuple[str, str]] = Counter()
    code_counts: Counter[str] = Counter()
    diagnostics: list[Diagnostic] = []
    for each in found:
        same, more = (each.code, each.message), ""
        message_counts[same] += 1
        if equal[same] > MOST_EQUAL:
            if message_counts[same] > 1:
                continue
            more = f" (and in {counted_noun(equal[same] - 1, 'more place')})"
        code_counts[each.code] += 1
        if code_counts[each.code] > MOST_OF_A_CODE:
            continue
        if code_counts[each.code] == MOST_OF_A_CODE and of_code[each.code] > MOST_OF_A_CODE:
            more += f" (further {each.code} findings are not shown)"
        diagnostics.append(_truncate(replace(each, message=truncated_text(each.message) + more) if more else each))
    return diagnostics


def truncated_text(text: str) -> str:
    """Truncate long words of a text in their middle, and a long text at its end."""
    if len(text) <= LONGEST_WORD:
        return text
    text = _WORD.sub(lambda word: f"{word[0][: LONGEST_WORD // 2]}…{word[0][-8:]}", text)
    return text if len(text) <= LONGEST_MESSAGE else f"{text[: LONGEST_MESSAGE - 200]} … {text[-100:]}"


def shortened_lines(text: str) -> str:
    """Truncate long lines of a text, and remove the lines beyond `LINES_SHOWN`."""
    lines = text.split("\n")
    first_lines = [truncated_text(line) for line in lines[:LINES_SHOWN]]
    return "\n".join(
        [*first_lines, *([f"… and {len(lines) - LINES_SHOWN} more lines"] if len(lines) > LINES_SHOWN else [])]
    )


def _truncate(each: Diagnostic) -> Diagnostic:
    """Truncate the texts of a finding."""
    if (
        len(each.message) <= LONGEST_WORD
        and len(each.help) <= LONGEST_WORD
        and len(each.explanation) <= LONGEST_MESSAGE
        and len(each.spans) <= MOST_OF_A_CODE
    ):
        return each
    spans = tuple(replace(label, text=truncated_text(label.text)) for label in each.spans[:MOST_OF_A_CODE])
    explanation = shortened_lines(each.explanation)
    return replace(
        each, message=truncated_text(each.message), help=truncated_text(each.help), spans=spans, explanation=explanation
    )
