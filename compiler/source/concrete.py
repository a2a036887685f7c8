"""Parse a `.rules` text to a concrete syntax tree with each word, sign and comment.

The input is a text in which parse.py found no error; the output is a tree whose leaves are all of its tokens in order.
Each comment belongs to a token: to the one that it follows on the same line or, on a line by itself, to the next one.
The abstract tree omits brackets, commas and comments; this one omits only the amount of space between tokens.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from typing import Any

from lark.grammar import Rule

from compiler.source.files import normalized_text
from compiler.source.grammar import ParserTables, parser_tables
from compiler.source.parser_tables import flatten_tables
from compiler.source.scanner import Scanner, Token
from runtime.graph.frozen_dataclass import frozen_dataclass

END = "$END"


@frozen_dataclass
class _Remark:
    """A comment on a line by itself; `follows_blank_line` if an empty line precedes it."""

    text: str
    follows_blank_line: bool


@frozen_dataclass
class Leaf:
    """A token, the comments above and behind it, and whether an empty line directly precedes it."""

    type: str
    text: str
    line: int
    above: tuple[_Remark, ...]
    follows_blank_line: bool
    trailing_comment: str


@frozen_dataclass
class Branch:
    """The tree of one grammar rule, whose name is `kind`; never empty."""

    kind: str
    parts: tuple["Branch | Leaf", ...]


ConcreteNode = Branch | Leaf


def read_concrete(text: str) -> Branch:
    """Parse a text without errors; the last leaf is the end of the file, with the comments before it."""
    grammar = _branching()
    parser = grammar.begin("start")
    scanner = Scanner(normalized_text(text), "", grammar.vocabulary)
    scanner.takes = lambda terminal: grammar.accepts(parser.state_stack, terminal)
    tokens: list[Token] = []
    while not tokens or tokens[-1].type != END:
        tokens.append(scanner.next_token(grammar.states[parser.state_stack[-1]]))
        if not grammar.feed(parser, tokens[-1]):
            raise ValueError(f"`{tokens[-1].text}` in line {tokens[-1].line} does not fit: the text is not sound")
    *leaves, end = _leaves(scanner.text, tokens)
    placed = {token.start: leaf for token, leaf in zip(tokens, leaves, strict=False)}
    grown = parser.value_stack[-1] if parser.value_stack else None
    members = grown.parts if isinstance(grown, Branch) else ()
    return Branch("start", (*(_with_leaves(member, placed) for member in members), end))


def leaves_of(twig: ConcreteNode) -> Iterator[Leaf]:
    """Return the tokens of a branch, in order."""
    waiting = [twig]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Leaf):
            yield node
        else:
            waiting += reversed(node.parts)


# ---------------------------------------------------------------- building branches


@cache
def _branching() -> ParserTables:
    """Return the parser tables with builders that build branches instead of nodes."""
    builders = {rule: partial(_branch, rule) for rule in parser_tables().lark.rules}
    return replace(parser_tables(), moves=flatten_tables(parser_tables().states, builders, parser_tables().lists))


def _branch(rule: Rule, parts: list[Any]) -> Any:
    """Build the result of a rule: a branch, its only part, or a list that is merged into the branch above."""
    name = str(rule.alias or rule.origin.name)
    # Lists grow at the end; copying them for each member would take a second for a long file.
    flat = parts.pop(0) if name.startswith("_") and parts and type(parts[0]) is list else []
    for part in parts:
        if type(part) is list:
            flat += part
        elif part is not None:
            flat.append(part)
    if name.startswith("_"):
        return flat
    if rule.options.expand1 and len(flat) == 1:
        return flat[0]
    return Branch(name, tuple(flat)) if flat else None


def _with_leaves(twig: Any, leaves: dict[int, Leaf]) -> ConcreteNode:
    """Replace tokens by leaves."""
    if isinstance(twig, Branch):
        return Branch(twig.kind, tuple([_with_leaves(part, leaves) for part in twig.parts]))
    return leaves[twig.start]


# ---------------------------------------------------------------- between tokens


def _leaves(text: str, tokens: list[Token]) -> Iterator[Leaf]:
    """Yield the tokens as leaves, each with its comments."""
    ends = [token.start + len(token.text) for token in tokens]
    starts = [*(token.start for token in tokens[:-1]), len(text)]
    gaps = [text[end:start] for end, start in zip([0, *ends], starts, strict=False)]
    for number, token in enumerate(tokens):
        trailing_comment = gaps[number + 1].partition("\n")[0].strip() if number + 1 < len(tokens) else ""
        above, follows_blank_line = _between(gaps[number] if number else "\n" + gaps[0])
        yield Leaf(token.type, token.text, token.line, above, follows_blank_line, trailing_comment)


def _between(gap: str) -> tuple[tuple[_Remark, ...], bool]:
    """Return the comments on lines by themselves, and whether an empty line follows the last one."""
    remarks: list[_Remark] = []
    follows_blank_line = False
    _, *lines = gap.split("\n")
    for number, line in enumerate(lines):
        if comment := line.strip():
            remarks.append(_Remark(comment, follows_blank_line))
            follows_blank_line = False
        elif number < len(lines) - 1:
            follows_blank_line = True
    return tuple(remarks), follows_blank_line
