"""Shorten the parser that `tree-sitter generate` writes, so that it can be stored beside its grammar.

In: the C source, whose tables have a line and a symbol's name for each entry. Out: the same tables with the numbers of
symbols and without blanks, a third of the size. The first line says of which grammar they are.
"""

import re
from hashlib import sha256

WIDTH = 120
_ENUMERATION = re.compile(r"^enum \w+ \{\n(.*?)^\};\n", re.MULTILINE | re.DOTALL)
_MEMBER = re.compile(r"(\w+) = (\d+),")
_MACRO = re.compile(r"\b(?:ACTIONS|STATE)\((\d+)\)")


def digest(grammar: str) -> str:
    """Return the digest by which a parser names the grammar that it was generated from."""
    return sha256(grammar.encode()).hexdigest()


def header(grammar: str) -> str:
    """Return the first line of the parser of a grammar."""
    return f"/* The parser of the grammar {digest(grammar)} */\n"


def compact(parser: str, grammar: str) -> str:
    """Shorten the parser of a grammar."""
    numbers = {name: number for each in _ENUMERATION.findall(parser) for name, number in _MEMBER.findall(each)}
    text = _MACRO.sub(r"\1", _ENUMERATION.sub("", parser))
    lines = [re.sub(r"\b[a-z]\w+\b", lambda word: numbers.get(word[0], word[0]), line) for line in text.splitlines()]
    found = [""]
    for line in filter(None, map(str.strip, lines)):
        before = found[-1]
        if before and "#" not in (before[0], line[0]) and len(before) + len(line) < WIDTH:
            found[-1] += line if before[-1] in ",{" else f" {line}"
        else:
            found.append(line)
    return header(grammar) + "\n".join(found[1:]) + "\n"
