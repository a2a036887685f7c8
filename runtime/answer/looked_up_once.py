"""Make generated Python faster without changing what it does.

In: lines of a function body. Out: the same with what is looked up again and again, about a parameter or
in a pass, looked up once, under a name of its own; what is asked several times is asked once.
"""

import re
from collections import Counter

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
    (r"b\.beside\[(\w+)\]", "{0}_beside"),
    (r"(\w+)\.fields(?:\.get\(|\[)'(\w+)'[\])]", "{0}_{1}"),
)


# What may stand before the first thing that a line works out for sure: both sides of a comparison are.
SURE = r"(if |not |\()*(\w+ (==|!=|<=?|>=?) )?"


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
    at = statement_with(lines, text)
    rest = [line if line.lstrip().startswith("#") else line.replace(text, name) for line in lines[at:]]
    return [*lines[:at], f"{name} = {text}", *rest]


def statement_with(lines: list[str], text: str) -> int:
    """Find where the statement begins that first has a text, comments aside."""
    at = next(n for n, line in enumerate(lines) if text in line and not line.lstrip().startswith("#"))
    while lines[at].startswith((" ", "el", "#")):
        at -= 1
    return at


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
