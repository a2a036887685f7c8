"""What `explain` shows: the page of a code, or all that is known of a rule."""

from typing import Any

from compiler.analysis.words import Writer
from compiler.report.codes import CODES
from rulewright.errors import UsageError, advice
from rulewright.shipped import codes_folder
from runtime.graph import nodes as graph
from runtime.graph import words


def code_page(number: str) -> str:
    """Read the page of a code."""
    known = {code.number: code for code in CODES}
    code = known.get(number.upper())
    if code is None:
        hint = advice(number.upper(), list(known)) if number[:1].upper() == "R" else "a rule needs `--on STACK`"
        raise UsageError(f"there is no code `{number}`; {hint}")
    page = codes_folder() / code.page
    if not page.is_file():
        return f"{code.number}: {code.slug.replace('-', ' ')}"
    return page.read_text(encoding="utf-8").rstrip()


def rule_page(rules: graph.Graph, label: str) -> dict[str, Any]:
    """Gather what a stack knows of one rule."""
    rule = rules.rules[label]
    writer = Writer(rules.vocabulary)
    ruling = rules.rulings.get(rule.ruling)
    defeaters = [other.label for other in rules.rules.values() if label in other.defeats]
    return {
        "rule": label,
        "text": rule.prose,
        "asks": ruling.asks if ruling else "",
        "answers": ruling.answers if ruling else "",
        "cites": ", ".join(rule.cites),
        "layer": rule.origin.layer,
        "file": f"{rule.origin.file}:{rule.origin.line}",
        "answers the question": ", ".join(rule.terms),
        "concludes": writer.conclusion(rule),
        "when": "" if rule.guard is None else writer.text(rule.guard),
        "defeats": words.listed(rule.defeats),
        "defeated by": words.listed(defeaters),
        "examples": ", ".join(
            example.title for example in rules.examples if example.protects in (label, rule.ruling) and example.protects
        ),
    }
