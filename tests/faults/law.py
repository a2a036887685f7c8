"""Faults in laws and steps: comparisons, bounds, conditions, sides, quantifiers, steps, and relations of rules."""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

from tests.faults.declarations import LAWS, PROCEDURES, Declaration
from tests.faults.fault import Places

QUOTED = re.compile(r'"[^"]*"|\[[^\]\n]*\]|#[^\n]*')
Place = tuple[int, int, str]


def _without_texts(where: Declaration) -> str:
    """Return the text of a declaration with strings, citations and comments replaced by spaces."""
    return QUOTED.sub(lambda found: " " * len(found[0]), where.text)


def _swapped(pattern: str, by: Mapping[str, str], words: set[str]) -> Places:
    found_by = re.compile(pattern)

    def places(where: Declaration, _: str) -> Iterator[Place]:
        for found in found_by.finditer(_without_texts(where)) if where.word in words else ():
            yield where.start + found.start(1), where.start + found.end(1), by[found[1]]

    return places


BOTH = {*LAWS, *PROCEDURES, "define"}
COMPARED = {"<=": "<", ">=": ">", "<": "<=", ">": ">="}
compare = _swapped(r" (<=|>=|<|>) ", COMPARED, BOTH)
quantifier = _swapped(r"\b(some|every|none)\(", {"some": "every", "every": "some", "none": "some"}, BOTH)
joined = _swapped(r" (and|or) ", {"and": "or", "or": "and"}, BOTH)
TURNED_ENDS = {
    "from": "to", "to": "from", "here": "there", "there": "here", "attacker": "defender", "defender": "attacker",
}  # fmt: skip
ends = _swapped(r"\b(from|to|here|there|attacker|defender)\b(?=[.,)])", TURNED_ENDS, BOTH)


def negated(where: Declaration, _: str) -> Iterator[Place]:
    """Yield the places of tests by `is` and of negated calls, with their negation."""
    plain_condition = _without_texts(where)
    for found in re.finditer(
        r"\b(is not|is)\b(?! (?:\d|if\b|previous|max|min|round|count|sum))(?= [a-z_]+\b)", plain_condition
    ):
        line = plain_condition[: found.start()].rsplit("\n", 1)[-1]
        if where.word in BOTH and re.search(r"\b(?:when|where|if|and|or|legal|not)\b|\(", line):
            yield where.start + found.start(), where.start + found.end(), "is" if found[1] == "is not" else "is not"
    for found in re.finditer(r"(?:when|and|legal|if) (not )(?=[a-z_]+\()", plain_condition):
        if where.word in BOTH:
            yield where.start + found.start(1), where.start + found.end(1), ""


def side(where: Declaration, _: str) -> Iterator[Place]:
    """Yield the places of comparisons of sides, with the opposite comparison."""
    for found in re.finditer(r"\.side (=|!=) ", _without_texts(where)):
        if where.word in BOTH:
            yield where.start + found.start(1), where.start + found.end(1), "=" if found[1] == "!=" else "!="


def bound(where: Declaration, _: str) -> Iterator[Place]:
    """Yield the places of integers in laws and steps, with the integer plus one."""
    for found in re.finditer(r"(?<=[ (])(\d+)(?= [A-Za-z]|\)|\n|,| )(?!\.\.)", _without_texts(where)):
        if where.word in BOTH:
            yield where.start + found.start(1), where.start + found.end(1), str(int(found[1]) + 1)


def choice(where: Declaration, _: str) -> Iterator[Place]:
    """Yield the places of conditions on the source of a choice, with no text."""
    for found in re.finditer(r"choose [^\n]* from \{(\w+) in [^\n]*?( where [^\n{}]+)\}", _without_texts(where)):
        if where.word in PROCEDURES:
            yield where.start + found.start(2), where.start + found.end(2), ""


STEP = re.compile(
    r"\s+(?:do|tell|set|add|mark|unmark|move|remove|relate|unrelate|let|roll|write|strike|legal|create)"
    r" [^{}]*\n$"
)


def _steps(where: Declaration) -> Iterator[tuple[int, str]]:
    """Yield the lines of a procedure that are one step each, with their start."""
    at = where.start
    for line in where.text.splitlines(keepends=True):
        if where.word in PROCEDURES and STEP.match(line):
            yield at, line
        at += len(line)


def order(where: Declaration, _: str) -> Iterator[Place]:
    """Yield the places of two adjacent steps, with the steps exchanged."""
    steps = [*_steps(where)]
    for (at, line), (after, other) in pairwise(steps):
        indents = {len(each) - len(each.lstrip()) for each in (line, other)}
        if after == at + len(line) and len(indents) == 1 and "legal" not in line + other and "let " not in line:
            yield at, after + len(other), other + line


def dropped(where: Declaration, _: str) -> Iterator[Place]:
    """Yield the places of steps, with no text."""
    for at, line in _steps(where):
        if not line.strip().startswith(("let", "roll")):
            yield at, at + len(line), ""


def branch(where: Declaration, _: str) -> Iterator[Place]:
    """Yield the places of conditions of `if`, with their negation."""
    for found in re.finditer(r"\bif ([^{}\n]+) \{", _without_texts(where)):
        if where.word in PROCEDURES:
            yield where.start + found.start(1), where.start + found.end(1), f"not ({found[1]})"


def target(where: Declaration, text: str) -> Iterator[Place]:
    """Yield the places of the rules that a rule defeats, with another rule of the file."""
    labels = re.findall(r"^ *rule ([\w-]+)", text, re.MULTILINE)
    for found in re.finditer(r"(?:exception to|suppresses) ([\w-]+)", _without_texts(where)):
        others = [label for label in labels if label not in (found[1], where.label)]
        if where.word in LAWS and found[1] in labels and others:
            at = labels.index(found[1])
            near = [each for each in (labels[at - 1], *labels[at + 1 : at + 2]) if each in others] or others
            yield where.start + found.start(1), where.start + found.end(1), near[0]


def no_target(where: Declaration, _: str) -> Iterator[Place]:
    """Yield the places of lines with an exception, with no text."""
    for found in re.finditer(r"^ +(?:exception to|suppresses) [^\n]*\n", _without_texts(where), re.MULTILINE):
        if where.word in LAWS and re.search(
            r"\b(?:is|adds|allowed|forbidden|holds|fails|offers|includes|excludes) ?", where.text
        ):
            yield where.start + found.start(), where.start + found.end(), ""


def condition(where: Declaration, _: str) -> Iterator[Place]:
    """Yield the places of last conjuncts of guards, with no text."""
    for found in re.finditer(r"^ +when [^\n]*?( and [^\n()]+)\n", _without_texts(where), re.MULTILINE):
        if where.word in LAWS:
            yield where.start + found.start(1), where.start + found.end(1), ""


def leaves_out(where: Declaration, _: str) -> Iterator[Place]:
    """Yield the place of the guard of a rule that edits a procedure, with its negation."""
    plain_condition = _without_texts(where)
    if where.word in LAWS and (
        found := re.search(r"\b(?:withdraws|reorders|inserts|wraps) [^\n]*\n? +when ([^\n]+)", plain_condition)
    ):
        yield where.start + found.start(1), where.start + found.end(1), f"not ({found[1]})"


def verb(where: Declaration, _: str) -> Iterator[Place]:
    """Yield the places of conclusions of rules, with the opposite verb."""
    opposites = {
        "allowed": "forbidden",
        "forbidden": "allowed",
        "holds": "fails",
        "fails": "holds",
        "includes": "excludes",
    }
    for found in re.finditer(rf"^ +\w+(?:\.\w+)? ({'|'.join(opposites)})\b", _without_texts(where), re.MULTILINE):
        if where.word in LAWS:
            yield where.start + found.start(1), where.start + found.end(1), opposites[found[1]]


KINDS: Mapping[str, Places] = {
    "law comparison": compare, "law bound": bound, "law negated": negated, "law side": side,
    "law quantifier": quantifier, "law and-or": joined, "law ends": ends, "law verb": verb, "law condition": condition,
    "step choice": choice, "step order": order, "step dropped": dropped, "step branch": branch,
    "layer target": target, "layer no target": no_target, "layer withdraws": leaves_out,
}  # fmt: skip
