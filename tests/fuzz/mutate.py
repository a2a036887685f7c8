"""Mutate a text as people, editors and attackers do. The same seed gives the same mutants.

A mutant has one to four changes: of a character, a word, a number, a line, or a block. Words are replaced by words of
the corpus, since a declared name in a wrong place passes more stages than a random one.
"""

import json
import random
import re
from collections.abc import Callable, Sequence
from typing import Any

SIGNS = """{ } ( ) [ ] " ' | : = - .. ? # & * ! % ; , \\ ` ~ @ $ < > § é ½ 0.5 1/0 1e9 [T.1 [] '' "" --- <<: &a *a"""
JUNK: tuple[str, ...] = (
    *SIGNS.split(),
    *"\t\r\0\x1b\u202e\u2028\ufeff\U0001f422",
    *(part * 90 for part in ("{", "(", "not ", "- ", "a.b")),
)
NUMBERS = ("0", "1", "2", "7", "99", "1000", "100000", "999999999", "9999999999999", "1/3", "1/2", "-1")
_TOKEN = re.compile(r"[ \t]+|\n|\w+|[^\w\s]")
_WORD = re.compile(r"[A-Za-z_][\w-]*")


def mutant(text: str, words: Sequence[str], dice: random.Random) -> str:
    """Return one mutant of a text."""
    for _ in range(dice.choice((1, 1, 1, 2, 2, 3, 4))):
        text = dice.choice(CHANGES)(text, words, dice)
    return text


def distinct_words(texts: Sequence[str]) -> list[str]:
    """Return the words of a corpus, sorted."""
    return sorted({word for text in texts for word in _WORD.findall(text)})


def _token(text: str, words: Sequence[str], dice: random.Random) -> str:
    """Delete, duplicate, exchange, insert or replace a token."""
    tokens = _TOKEN.findall(text) or [" "]
    solid = [at for at, token in enumerate(tokens) if not token.isspace()] or [0]
    at = dice.choice(solid)
    match dice.randrange(6):
        case 0:
            del tokens[at : at + dice.randint(1, 3)]
        case 1:
            tokens[at:at] = tokens[at : at + dice.randint(1, 12)]
        case 2:
            other = dice.choice(solid)
            tokens[at], tokens[other] = tokens[other], tokens[at]
        case 3:
            tokens.insert(at, dice.choice(JUNK))
        case _:
            old = tokens[at]
            tokens[at] = _instead(old, tokens, words, dice)
    return "".join(tokens)


def _instead(old: str, tokens: Sequence[str], words: Sequence[str], dice: random.Random) -> str:
    """Draw a replacement of a token, most of the time of the same kind."""
    if old.isdigit():
        return dice.choice(NUMBERS)
    if old[0].isalpha():
        near = [token for token in tokens if token[0].isalpha()]
        return dice.choice(near) if near and dice.random() < 0.6 else dice.choice(words)
    return dice.choice(JUNK) if dice.random() < 0.3 else dice.choice(tokens)


def _misspelled(text: str, _words: Sequence[str], dice: random.Random) -> str:
    """Exchange two adjacent letters of a word."""
    found = [match for match in _WORD.finditer(text) if len(match[0]) > 2]
    if not found:
        return text
    at = dice.choice(found).start() + 1
    return text[:at] + text[at + 1 : at + 2] + text[at] + text[at + 2 :]


def _line(text: str, _words: Sequence[str], dice: random.Random) -> str:
    """Delete, duplicate, move, indent or unindent a line."""
    lines = text.split("\n")
    at, other = dice.randrange(len(lines)), dice.randrange(len(lines))
    match dice.randrange(5):
        case 0:
            del lines[at]
        case 1:
            lines.insert(other, lines[at])
        case 2:
            lines.insert(other, lines.pop(at))
        case 3:
            lines[at] = dice.choice(("  ", "    ", "\t", "- ")) + lines[at]
        case _:
            lines[at] = lines[at].lstrip()
    return "\n".join(lines)


def _paragraph(text: str, _words: Sequence[str], dice: random.Random) -> str:
    """Delete, duplicate or exchange paragraphs."""
    parts = re.split(r"(?=^\S)", text, flags=re.MULTILINE)
    at, other = dice.randrange(len(parts)), dice.randrange(len(parts))
    match dice.randrange(3):
        case 0:
            del parts[at]
        case 1:
            parts.insert(other, parts[at])
        case _:
            parts[at], parts[other] = parts[other], parts[at]
    return "".join(parts)


def _bracket(text: str, _words: Sequence[str], dice: random.Random) -> str:
    """Delete, empty, duplicate, nest or unwrap a pair of brackets with its content."""
    found = list(re.finditer(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}", text))
    if not found:
        return text
    inner = dice.choice(found)
    old = inner[0]
    deep = dice.choice((2, 20, 70, 300))
    new = dice.choice(("", old[0] + old[-1], old + old, old[0] * deep + old + old[-1] * deep, old[1:-1]))
    return text[: inner.start()] + new + text[inner.end() :]


def _byte(text: str, _words: Sequence[str], dice: random.Random) -> str:
    """Delete, insert, replace or duplicate characters, or truncate the text."""
    at = dice.randrange(len(text) + 1)
    match dice.randrange(4):
        case 0:
            return text[:at] + text[at + 1 :]
        case 1:
            return text[:at] + dice.choice(JUNK) + text[at:]
        case 2:
            return text[:at] + chr(dice.choice((dice.randrange(1, 128), dice.randrange(1, 0xD000)))) + text[at + 1 :]
        case _:
            return text[:at] if dice.random() < 0.3 else text[:at] + text[at : at + 40] + text[at:]


Change = Callable[[str, Sequence[str], random.Random], str]
CHANGES: tuple[Change, ...] = (_token, _token, _token, _misspelled, _line, _paragraph, _bracket, _byte)


def spoiled(data: Any, dice: random.Random) -> Any:
    """Change one entry of JSON data in place and return the data; data without entries are replaced."""
    places = [(holder, key) for holder in _holders(data) for key in _keys(holder)]
    if not places:
        return dice.choice((None, [], {}, 1, "x"))
    holder, key = dice.choice(places)
    other, its = dice.choice(places)
    match dice.randrange(6):
        case 0:
            del holder[key]
        case 1:
            holder[key] = json.loads(json.dumps(other[its]))
        case 2:
            holder[key] = dice.choice(
                (None, True, 0, -1, 10**12, 1.5, "", "1/0", "\x1b[31m", [], {}, [[]], {"is": "Op"})
            )
        case 3 if isinstance(holder, list):
            holder.insert(key, json.loads(json.dumps(holder[key])))
        case 3:
            holder[dice.choice(("is", "x", "__class__", "name"))] = holder.pop(key)
        case _:
            holder[key] = f"{holder[key]}{dice.choice(JUNK)}" if isinstance(holder[key], str) else [holder[key]]
    return data


def _holders(data: Any) -> list[Any]:
    """Return all dictionaries and lists of the data, outer ones first."""
    found, waiting = [], [data]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict | list):
            found.append(part)
            waiting += part.values() if isinstance(part, dict) else part
    return found


def _keys(holder: Any) -> list[Any]:
    return [*holder] if isinstance(holder, dict) else [*range(len(holder))]
