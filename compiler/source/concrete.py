"""Read a `.rules` text as it stands: every word, sign and comment, in its branch of the grammar.

In: a text that parse.py found nothing wrong with. Out: a tree whose leaves are all of its tokens,
in order. Afterwards each comment hangs on a token: on the one behind which it stands, or, when it has a
line of its own, on the one below. The tree of nodes forgets brackets, commas and comments; this
one forgets only how much space was between them.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

from lark.grammar import Rule
from lark.parsers.lalr_parser_state import ParseConf, ParserState

from compiler.source.grammar import tables
from compiler.source.scan import Scanner, Token

END = "$END"


@dataclass(frozen=True, slots=True)
class Remark:
    """A comment on a line of its own; `apart` when an empty line stands before it."""

    text: str
    apart: bool


@dataclass(frozen=True, slots=True)
class Leaf:
    """A token, the comments above and behind it, and whether an empty line stands right before it."""

    type: str
    text: str
    line: int
    above: tuple[Remark, ...]
    apart: bool
    beside: str


@dataclass(frozen=True, slots=True)
class Branch:
    """What one grammar rule took, `kind` being its name; never empty."""

    kind: str
    parts: tuple["Branch | Leaf", ...]


Twig = Branch | Leaf


def read_concrete(text: str) -> Branch:
    """Read a sound text; the last leaf is the end of the file, with the comments before it."""
    scanner = Scanner(normalized(text), "", tables().vocabulary)
    states = tables().states
    parser: ParserState[Any] = ParserState(_branching(), None, [], [])  # type: ignore[arg-type]  # tokens are fed
    scanner.takes = lambda terminal: tables().takes(parser.state_stack, terminal)
    tokens: list[Token] = []
    while True:
        token = scanner.next(states[parser.state_stack[-1]])
        tokens.append(token)
        grown = parser.feed_token(token, token.type == END)  # type: ignore[arg-type]  # only .type is read
        if token.type == END:
            break
    *leaves, end = _leaves(scanner.text, tokens)
    placed = {token.start: leaf for token, leaf in zip(tokens, leaves, strict=False)}
    members = grown.parts if isinstance(grown, Branch) else ()
    return Branch("start", (*(_leafed(member, placed) for member in members), end))


def normalized(text: str) -> str:
    """Write line ends one way and drop the mark that some editors put at the beginning."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def leaves_of(twig: Twig) -> Iterator[Leaf]:
    """List the tokens of a branch, in order."""
    waiting = [twig]
    while waiting:
        here = waiting.pop()
        if isinstance(here, Leaf):
            yield here
        else:
            waiting += reversed(here.parts)


# ---------------------------------------------------------------- growing branches


@cache
def _branching() -> ParseConf[Any]:
    """Make a parser of the same tables that builds branches instead of nodes."""
    lark = tables().lark
    table = lark.parse_interactive(start="start").parser_state.parse_conf.parse_table
    builders: dict[Any, Callable[[list[Any]], Any]] = {rule: partial(_branch, rule) for rule in lark.rules}
    return ParseConf(table, builders, "start")


def _branch(rule: Rule, parts: list[Any]) -> Any:
    """Build what a rule took: a branch, its only part, or a list for the branch above."""
    name = str(rule.alias or rule.origin.name)
    # Lists grow from the left; copying them at every member would take a second for a long file.
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


def _leafed(twig: Any, leaves: dict[int, Leaf]) -> Twig:
    """Put leaves where tokens are."""
    if isinstance(twig, Branch):
        return replace(twig, parts=tuple(_leafed(part, leaves) for part in twig.parts))
    return leaves[twig.start]


# ---------------------------------------------------------------- what stands between tokens


def _leaves(text: str, tokens: list[Token]) -> Iterator[Leaf]:
    """Hang every comment on its token."""
    ends = [token.start + len(token.text) for token in tokens]
    starts = [*(token.start for token in tokens[:-1]), len(text)]
    gaps = [text[end:start] for end, start in zip([0, *ends], starts, strict=False)]
    for number, token in enumerate(tokens):
        beside = gaps[number + 1].partition("\n")[0].strip() if number + 1 < len(tokens) else ""
        above, apart = _between(gaps[number] if number else "\n" + gaps[0])
        yield Leaf(token.type, token.text, token.line, above, apart, beside)


def _between(gap: str) -> tuple[tuple[Remark, ...], bool]:
    """Find the comments that have lines of their own, and whether an empty line stands below the last."""
    remarks: list[Remark] = []
    apart = False
    _, *lines = gap.split("\n")
    for number, line in enumerate(lines):
        if said := line.strip():
            remarks.append(Remark(said, apart))
            apart = False
        elif number < len(lines) - 1:
            apart = True
    return tuple(remarks), apart
