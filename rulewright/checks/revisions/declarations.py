"""Split a file of rules into its declarations, each with the texts whose checksums are taken, and into its examples.

In: the text of a file, which need not be valid. Out: its declarations and examples in order; a case, a ruling, a
reading or a sequence encloses others. Together their texts contain each word, brace and citation of the file, so that
every change but of layout and comments changes one of them, or moves a declaration.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

# The declarations that may stand within the braces of others. All others begin in the first column.
NESTED_HEADS = frozenset({"rule", "ruling", "reading", "dispute", "case", "example", "phase"})
EXAMPLE, ACCOUNT, PHASE = "example", "account", "phase"
DECLARATION_HEAD = re.compile(r"[^\[\"={(]*")
# The number of words of the head of a declaration that are its name; the second of them is its label.
NAMED_DECLARATION = re.compile(
    r"(?:rule|ruling|reading|dispute|case|action|resolution|reaction|sequence|phase|define) "
)
MOST_NAME_WORDS = 4
CITATION = r"\[(?:[A-Z][\w-]*(?:\.[\w-]+)+|house)\b[^\]]*\]"
TOKEN = re.compile(
    rf'(?P<break>\n)|(?P<cite>{CITATION})|(?P<text>"[^"]*")|(?P<comment>\#[^\n]*)|(?P<list>\[)'
    r"|(?P<word>'[^'\n]*'|[A-Za-z_]\w*(?:-\w+)*|\d+(?:/\d+)?|<=|>=|!=|\.\.|[^\s\w])"
)
# A text after one of these is a number or printed text, and no sentence.
NO_SENTENCE = {"numbered", "expecting"}
LAWS = frozenset({"rule", "ruling", "reading"})
# Stands in the law of a declaration for those that it encloses at this place.
ENCLOSED = "*"


@dataclass(slots=True)
class Part:
    """A declaration of a file of rules: its name, its one-based lines, and the texts of its checksums.

    `enclosing` is the name of the declaration in whose braces it stands, "" for none, and `depth` the number of braces
    that are open before it. The texts have neither layout nor comments, and nothing of enclosed declarations.
    """

    name: str
    enclosing: str
    depth: int
    first_line: int
    last_line: int
    sentences: list[str] = field(default_factory=list)
    law: list[str] = field(default_factory=list)
    cites: list[str] = field(default_factory=list)

    @property
    def texts(self) -> tuple[str, str, str]:
        """Return the texts of the sentences, the law and the citations."""
        return "\n".join(self.sentences), " ".join(self.law), " ".join(self.cites)

    @property
    def is_example(self) -> bool:
        """Return whether it is an example."""
        return self.name.partition(" ")[0] == EXAMPLE

    @property
    def is_law(self) -> bool:
        """Return whether its sentences express its law."""
        return self.name.partition(" ")[0] in LAWS

    @property
    def label(self) -> str:
        """Return the label of the declaration, or its first words if it has none."""
        return part_label(self.name)


class _Token(NamedTuple):
    """A word, a sign, a quoted text or a citation, with its one-based line, and its column if it is the first of it."""

    text: str
    kind: str
    line: int
    end_line: int
    column: int | None


def part_label(name: str) -> str:
    """Return the label within the name of a part, otherwise the name."""
    return name.split(" ")[1] if NAMED_DECLARATION.match(name) else name


def split_declarations(text: str) -> list[Part]:
    """Split a file of rules into declarations and examples in order; equal names are numbered."""
    lines = text.splitlines()
    parts: list[Part] = []
    open_parts: list[Part] = []  # The declarations that have not ended, the outermost first.
    counts: dict[str, int] = {}
    depth = 0
    for token in _tokens(text):
        if _is_head(token, depth, open_parts):
            open_parts = [part for part in open_parts if part.depth < depth]
            name = _name(lines[token.line - 1].strip())
            counts[name] = counts.get(name, 0) + 1
            numbered_name = name if counts[name] == 1 else f"{name} {counts[name]}"
            enclosing = open_parts[-1] if open_parts else None
            parts.append(Part(numbered_name, enclosing.name if enclosing else "", depth, token.line, token.line))
            if enclosing and not parts[-1].is_example and enclosing.law[-1:] != [ENCLOSED]:
                enclosing.law.append(ENCLOSED)
            open_parts.append(parts[-1])
        if token.text == "{":
            depth += 1
        elif token.text == "}":
            depth -= 1
            open_parts = [part for part in open_parts if part.depth <= depth]
        if open_parts:
            _add(open_parts[-1], token)
    return parts


def _add(part: Part, token: _Token) -> None:
    """Add a token to the texts of a declaration."""
    part.last_line = token.end_line
    if token.kind == "cite":
        part.cites.append(token.text)
    elif token.kind == "text" and part.law[-1] not in NO_SENTENCE:
        part.sentences.append(" ".join(token.text.strip('"').split()))
    else:
        part.law.append(token.text)


def _is_head(token: _Token, depth: int, open_parts: list[Part]) -> bool:
    """Return whether a declaration begins with a token; within an example none does."""
    within = open_parts[-1] if open_parts else None
    if token.column is None or (within and within.is_example and depth > within.depth):
        return False
    if token.text in NESTED_HEADS and (depth or token.text != PHASE):  # A selector of a phase may begin a line.
        return True
    return not depth and token.column == 0 and token.text[0].islower() and token.text != ACCOUNT


def _tokens(text: str) -> Iterator[_Token]:
    """Yield the tokens of a file without comments."""
    line, line_start, is_first = 1, 0, True
    for found in TOKEN.finditer(text):
        kind, word = found.lastgroup or "", found[0]
        if kind == "break":
            line, line_start, is_first = line + 1, found.end(), True
        elif kind != "comment":
            end_line = line + word.count("\n")
            yield _Token(word, kind, line, end_line, found.start() - line_start if is_first else None)
            line, is_first = end_line, False


def _name(head: str) -> str:
    """Return the name of a declaration, from its first line."""
    found = DECLARATION_HEAD.match(head)
    words = found[0].split() if found else []
    return " ".join(words[: 2 if NAMED_DECLARATION.match(head) else MOST_NAME_WORDS])
