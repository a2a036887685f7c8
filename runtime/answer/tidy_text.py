"""Make generated Python shorter and faster without changing what it does.

In: lines of a function body. Out: the same with fewer brackets, and with what is looked up again
and again about a parameter looked up once, under a name of its own.
"""

import re
from collections import Counter
from collections.abc import Iterator

OFTEN = 3
TWICE = 2

# Looks that cannot fail, whatever the parameter: they may stand at the top even if they turn out idle.
HOISTED = (
    (r"s\.hex\[(\w+)\]", "{0}_hex"),
    (r"s\.side\[(\w+)\]", "{0}_side"),
    (r"s\.traits\[(\w+)\]", "{0}_traits"),
    (r"b\.features\[(\w+)\]", "{0}_features"),
    (r"b\.side\((\w+), (\w+)\)", "{0}_{1}_side"),
    (r"b\.sides\.get\((\w+)\.side, NOTHING\)", "{0}_features"),
    (r"b\.around\[(\w+)\]", "{0}_around"),
    (r"(\w+)\.fields(?:\.get\(|\[)'(\w+)'[\])]", "{0}_{1}"),
)


# What may stand before the first thing that a line works out for sure: both sides of a comparison are.
SURE = r"(if |not |\()*(\w+ (==|!=|<=?|>=?) )?"


def bare(text: str) -> str:
    """Drop brackets around the whole of an expression."""
    while text.startswith("(") and text.endswith(")") and closes_at(text) == len(text) - 1 and not text.endswith(",)"):
        text = text[1:-1]
    return text


def closes_at(text: str) -> int:
    """Find where the bracket at the start closes; quoted text may hold brackets too."""
    depth, quote = 0, ""
    for place, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote and text[place - 1] != "\\" else quote
        elif letter in "'\"":
            quote = letter
        elif letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
            if depth == 0:
                return place
    return -1


def hoisted(lines: list[str], parameters: list[str]) -> list[str]:
    """Give a name to what is looked up often about parameters."""
    taken = set(re.findall(r"\w+", "\n".join(lines)))
    heads: list[str] = []
    for pattern, template in HOISTED:
        code = "\n".join(line for line in lines if not line.lstrip().startswith("#"))
        counts = Counter(found.group(0) for found in re.finditer(pattern, code))
        for text, times in sorted(counts.items()):
            found = re.fullmatch(pattern, text)
            assert found
            name = template.format(*found.groups())
            about = [part for part in found.groups() if f"'{part}'" not in text]
            if times < OFTEN or name in taken or not set(about) <= set(parameters):
                continue
            taken.add(name)
            heads.append(f"{name} = {text}")
            lines = [line if line.lstrip().startswith("#") else line.replace(text, name) for line in lines]
    return [*heads, *lines]


# What is the same for whoever a pass looks at: marks, pairs and tracks of the position.
STANDING = re.compile(r"(?<!for )(?<!\w)(s\.(?:marks|pairs|tracks)\['(\w+)(?:\.(\w+))?'\](?:\.(lefts|rights))?)")
PASSING = re.compile(r"(?:^| )for \w+ in (\S+)")


def before_passes(lines: list[str]) -> list[str]:
    """Look up before a pass what it would look up for every member."""
    taken = set(re.findall(r"\w+", "\n".join(lines)))
    passes = [line for line in lines if PASSING.search(line) and not line.lstrip().startswith("#")]
    looks = [look for line in passes for look in STANDING.findall(beside_sources(line))]
    for text, name in {look[0]: "_".join(filter(None, look[1:])) for look in looks}.items():
        if name not in taken and "_" in name:
            lines = put_before(lines, text, name)
    return lines


def beside_sources(line: str) -> str:
    """Leave out of a line what its passes run over, which is looked up once."""
    return PASSING.sub(" for", line)


def put_before(lines: list[str], text: str, name: str) -> list[str]:
    """Give a name to a text before the statement that first has it, and write that from there on."""
    at = next(n for n, line in enumerate(lines) if text in line and not line.lstrip().startswith("#"))
    while lines[at].startswith((" ", "el", "#")):
        at -= 1
    rest = [line if line.lstrip().startswith("#") else line.replace(text, name) for line in lines[at:]]
    return [*lines[:at], f"{name} = {text}", *rest]


def shared(lines: list[str], calls: dict[str, str]) -> list[str]:
    """Ask once what is asked several times: from the first line on that asks it whatever else holds.

    `calls` names the questions and cells that were written. Only a line that begins with one is sure to
    ask it; put before that line, it is asked when it would have been, and the rest reuses it.
    """
    for call in sorted(calls, key=len, reverse=True):
        name = calls[call]
        if sum(line.count(call) for line in lines) < TWICE:
            continue
        # A question whose name ends like this one's is another question.
        asked = re.compile(r"(?<!\w)" + re.escape(call))
        where = [n for n, line in enumerate(lines) if asked.search(line) and not line.lstrip().startswith("#")]
        times = sum(len(asked.findall(lines[n])) for n in where)
        if times < TWICE or not re.match(SURE + re.escape(call), lines[where[0]]):
            continue
        if re.search(rf"\b{name}\b", "\n".join(lines)):
            continue
        first = where[0]
        rest = [line if line.lstrip().startswith("#") else asked.sub(name, line) for line in lines[first:]]
        lines = [*lines[:first], f"{name} = {call}", *rest]
    return lines


def negated(text: str) -> str:
    """Write the opposite of a test: of one comparison, the contrary one."""
    inner = bare(text)
    open_to_view = outermost(inner)
    compared = list(COMPARISON.finditer(open_to_view))
    if len(compared) != 1 or JOINED.search(open_to_view) or inner.startswith("not "):
        return f"(not {unjoined(text)})"
    start, end = compared[0].span()
    return f"({inner[:start]} {CONTRARY[inner[start:end].strip()]} {inner[end:]})"


def outermost(text: str) -> str:
    """Blank out what stands in brackets or quotes; everything else keeps its place."""
    for start, end in enclosed(text):
        text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return text


def enclosed(text: str) -> Iterator[tuple[int, int]]:
    """Say from where to where brackets reach that stand in no others, and literals."""
    place = 0
    while found := ENCLOSING.search(text, place):
        start, place = found.span()
        if text[start] in "([{":
            place = start + closes_at(text[start:]) + 1
        yield start, place


def unjoined(text: str) -> str:
    """Drop outer brackets unless they hold several conditions together."""
    return loosened(text, JOINED)


def among(text: str) -> str:
    """Drop outer brackets for a place among conditions that must all hold."""
    return loosened(text, LOOSER)


def unchosen(text: str) -> str:
    """Drop outer brackets unless they hold a choice by `if .. else` together."""
    return loosened(text, CHOSEN)


def loosened(text: str, joint: re.Pattern[str]) -> str:
    """Drop outer brackets unless they hold something together that is joined so."""
    inner = bare(text)
    return text if joint.search(inner) and joint.search(outermost(inner)) else inner


CONTRARY = {
    "==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<",
    "in": "not in", "not in": "in", "is": "is not", "is not": "is",
}  # fmt: skip
COMPARISON = re.compile(r" (==|!=|<=|>=|<|>|not in|in|is not|is) ")
JOINED = re.compile(r" (and|or|if|else) ")
LOOSER = re.compile(r" (or|if|else) ")
CHOSEN = re.compile(r" (if|else) ")
ENCLOSING = re.compile(r"""[(\[{]|'(\\.|[^'\\])*'|"(\\.|[^"\\])*\"""")
