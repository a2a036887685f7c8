"""Slips in what counts: comparisons, bounds, conditions, sides, quantifiers, steps, and what rules do to rules."""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

from tests.faults.declarations import LAWS, PROCEDURES, Declaration
from tests.faults.fault import Places

QUOTED = re.compile(r'"[^"]*"|\[[^\]\n]*\]|#[^\n]*')
Place = tuple[int, int, str]


def _without_texts(where: Declaration) -> str:
    """Return the text of a declaration with prose, citations and comments blanked, at the same places."""
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
    """Find a plain condition, to say the contrary."""
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
    """Find whose something is, for the other side's."""
    for found in re.finditer(r"\.side (=|!=) ", _without_texts(where)):
        if where.word in BOTH:
            yield where.start + found.start(1), where.start + found.end(1), "=" if found[1] == "!=" else "!="


def bound(where: Declaration, _: str) -> Iterator[Place]:
    """Find a whole number of a law or step, for one more."""
    for found in re.finditer(r"(?<=[ (])(\d+)(?= [A-Za-z]|\)|\n|,| )(?!\.\.)", _without_texts(where)):
        if where.word in BOTH:
            yield where.start + found.start(1), where.start + found.end(1), str(int(found[1]) + 1)


def choice(where: Declaration, _: str) -> Iterator[Place]:
    """Find a choice from some of a set, for one from all of it."""
    for found in re.finditer(r"choose [^\n]* from \{(\w+) in [^\n]*?( where [^\n{}]+)\}", _without_texts(where)):
        if where.word in PROCEDURES:
            yield where.start + found.start(2), where.start + found.end(2), ""


STEP = re.compile(
    r"\s+(?:do|tell|set|add|mark|unmark|move|remove|relate|unrelate|let|roll|write|strike|legal|create)"
    r" [^{}]*\n$"
)


def _steps(where: Declaration) -> Iterator[tuple[int, str]]:
    """List the lines of a procedure that are one step each: where the line begins, and the line."""
    at = where.start
    for line in where.text.splitlines(keepends=True):
        if where.word in PROCEDURES and STEP.match(line):
            yield at, line
        at += len(line)


def order(where: Declaration, _: str) -> Iterator[Place]:
    """Find two steps, one line behind the other, in the wrong order."""
    steps = [*_steps(where)]
    for (at, line), (after, other) in pairwise(steps):
        indents = {len(each) - len(each.lstrip()) for each in (line, other)}
        if after == at + len(line) and len(indents) == 1 and "legal" not in line + other and "let " not in line:
            yield at, after + len(other), other + line


def dropped(where: Declaration, _: str) -> Iterator[Place]:
    """Find a step, to leave it out."""
    for at, line in _steps(where):
        if not line.strip().startswith(("let", "roll")):
            yield at, at + len(line), ""


def branch(where: Declaration, _: str) -> Iterator[Place]:
    """Find the condition of an `if`, to turn it round."""
    for found in re.finditer(r"\bif ([^{}\n]+) \{", _without_texts(where)):
        if where.word in PROCEDURES:
            yield where.start + found.start(1), where.start + found.end(1), f"not ({found[1]})"


def target(where: Declaration, text: str) -> Iterator[Place]:
    """Find what a rule is an exception to, for another rule of the file."""
    labels = re.findall(r"^ *rule ([\w-]+)", text, re.MULTILINE)
    for found in re.finditer(r"(?:exception to|suppresses) ([\w-]+)", _without_texts(where)):
        others = [label for label in labels if label not in (found[1], where.label)]
        if where.word in LAWS and found[1] in labels and others:
            at = labels.index(found[1])
            near = [each for each in (labels[at - 1], *labels[at + 1 : at + 2]) if each in others] or others
            yield where.start + found.start(1), where.start + found.end(1), near[0]


def no_target(where: Declaration, _: str) -> Iterator[Place]:
    """Find the line of an exception, to leave it out."""
    for found in re.finditer(r"^ +(?:exception to|suppresses) [^\n]*\n", _without_texts(where), re.MULTILINE):
        if where.word in LAWS and re.search(
            r"\b(?:is|adds|allowed|forbidden|holds|fails|offers|includes|excludes) ?", where.text
        ):
            yield where.start + found.start(), where.start + found.end(), ""


def condition(where: Declaration, _: str) -> Iterator[Place]:
    """Find the last part of a condition, to leave it out."""
    for found in re.finditer(r"^ +when [^\n]*?( and [^\n()]+)\n", _without_texts(where), re.MULTILINE):
        if where.word in LAWS:
            yield where.start + found.start(1), where.start + found.end(1), ""


def leaves_out(where: Declaration, _: str) -> Iterator[Place]:
    """Find when something is left out of play, to turn it round."""
    plain_condition = _without_texts(where)
    if where.word in LAWS and (
        found := re.search(r"\b(?:withdraws|reorders|inserts|wraps) [^\n]*\n? +when ([^\n]+)", plain_condition)
    ):
        yield where.start + found.start(1), where.start + found.end(1), f"not ({found[1]})"


def verb(where: Declaration, _: str) -> Iterator[Place]:
    """Find what a rule concludes, for the contrary."""
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
