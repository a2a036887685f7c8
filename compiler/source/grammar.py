"""The tables of the grammar: the actions of the parser in each state, and what the scanner needs.

They are built once per run; only this module and parser_tables.py depend on lark.
"""

import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Set
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.util import cache_from_source
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from lark import Lark
from lark.lexer import Lexer, LexerState, Pattern, PatternStr
from lark.parsers.lalr_analysis import Shift

from compiler.query.database import Archive
from compiler.source.building import builders, whole_grammar
from compiler.source.parser_tables import BEGIN, END_OF_ACTIONS, Parser, ParserActions, expand, flatten_tables
from compiler.source.scanner import Token, TokenVocabulary
from runtime.graph.frozen_dataclass import frozen_dataclass

STARTS = ("start", "question", "written_type")
# Terminals that only start a member of a list of paragraphs, steps or settings.
_FEW = re.compile(r"\((?:\?:)?([^()\[\]\\]+)\)(?:\\b)?")
MEMBER_RULES = ("MEASURE", "RULE", "EXAMPLE", "READING", "STRIKE")
# Words that begin a paragraph, and as often a step, a setting or the name at the beginning of one.
_ALSO_WITHIN_PARAGRAPHS = {
    "after", "condition", "max", "min", "offer", "path", "phase", "place", "set", "side", "status", "sum", "track",
}  # fmt: skip


class _NoLexer(Lexer):
    """A stub for lark's lexer: the scanner follows the parser step by step."""

    def __init__(self, conf: object) -> None:
        pass

    def lex(self, lexer_state: LexerState, parser_state: Any) -> Iterator[Any]:  # noqa: ARG002 lark's signature
        """Return no tokens: they are fed one by one."""
        return iter(())


@frozen_dataclass
class ParserTables:
    """The parser and what is derived from its grammar.

    `moves` are the states as `feed` reads them: for a terminal a size, a target and a builder, for a rule its goto.
    `lists` are the states in which a member of a list may start, where parsing may resume. `ends` are those in which a
    whole text has been read. `fixed` is the text of keywords and signs.
    """

    lark: Lark
    moves: ParserActions
    states: Mapping[Any, Mapping[str, tuple[Any, Any]]]
    vocabulary: TokenVocabulary
    lists: frozenset[Any]
    ends: frozenset[Any]
    fixed: Mapping[str, str]

    def begin(self, start: str) -> Parser:
        """Return a parser that expects `start` and has read no token."""
        return Parser(list(self.lark.parse_interactive(start=start).parser_state.state_stack), [])

    def feed(self, parser: Parser, token: Token) -> int:
        """Shift a token after all reductions that it requires; return how it was shifted, or 0 if it is unexpected."""
        stack, values = parser.state_stack, parser.value_stack
        taking = expand(self.moves, stack, values, token.type)
        if taking is None:
            return END_OF_ACTIONS if stack[-1] in self.ends else 0
        stack.append(taking[1])
        values.append(token)
        return taking[0]

    def shiftable_terminal(self, state: Any, terminals: tuple[str, ...]) -> str | None:
        """Return the first of the terminals that the parser can shift in this state without a reduction."""
        actions = self.states[state]
        return next((each for each in terminals if each in actions and actions[each][0] is Shift), None)

    def accepts(self, stack: list[Any], terminal: str) -> bool:
        """Return whether the parser can shift `terminal`, after reductions if necessary."""
        stack, moves = list(stack), self.moves
        while move := moves[stack[-1]].get(terminal):
            size, to, _ = move
            if size >= 0:
                del stack[len(stack) - size :]
                stack.append(moves[stack[-1]][to][terminal])
            elif size >= BEGIN:
                return True
            else:
                stack[-1] = moves[stack[-2]][to][terminal]
        return stack[-1] in self.ends


@cache
def parser_tables() -> ParserTables:
    """Build the parser; the result is cached."""
    is_archived = sys.dont_write_bytecode and _archives
    try:
        lark = _archived(_archives[0]) if is_archived else _built(_tables_file())
    except OSError:
        if not is_archived:
            raise
        lark = _built(None)  # The folder of temporary files is full or missing: building again only takes longer.
    words: dict[str, tuple[str, ...]] = {}
    symbols: dict[str, tuple[str, ...]] = {}
    for terminal in lark.terminals:
        for text in _fixed_texts(terminal.pattern):
            kinds = words if text.isidentifier() else symbols
            kinds[text] = (*kinds.get(text, ()), terminal.name)
    conf = lark.parse_interactive(start="start").parser_state.parse_conf
    table, states = conf.parse_table, conf.states
    lists = frozenset(
        state
        for state, actions in states.items()
        if any(each in actions and actions[each][0] is Shift for each in MEMBER_RULES)
    )
    vocabulary = TokenVocabulary(words, symbols)
    fixed = {each.name: each.pattern.value for each in lark.terminals if isinstance(each.pattern, PatternStr)}
    return ParserTables(
        lark,
        flatten_tables(states, conf.callbacks, lists),
        states,
        vocabulary,
        lists,
        frozenset(table.end_states.values()),
        fixed,
    )


@cache
def first_terminals() -> Mapping[str, Set[str]]:
    """Return the terminals that a text of each rule of the grammar may begin with, by the name of the rule."""
    firsts: dict[str, set[str]] = defaultdict(set)
    empty_rules: set[str] = set()
    size, last_size = 0, -1
    while size != last_size:
        for rule in parser_tables().lark.rules:
            for symbol in rule.expansion:
                firsts[rule.origin.name] |= {symbol.name} if symbol.is_term else firsts[symbol.name]
                if symbol.name not in empty_rules:
                    break
            else:
                empty_rules.add(rule.origin.name)
        size, last_size = len(empty_rules) + sum(map(len, firsts.values())), size
    return firsts


@cache
def paragraph_keywords() -> Set[str]:
    """Return the keywords that only start a paragraph: a line that starts with one ends whatever is open."""
    terminals = first_terminals()["statement"]
    words = parser_tables().vocabulary.words.items()
    return {word for word, kinds in words if not terminals.isdisjoint(kinds)} - _ALSO_WITHIN_PARAGRAPHS


class _Copy(str):
    """The path of a copy; the file names of lark contain a hash of the path, and no two copies have the same path."""

    __slots__ = ()

    def __str__(self) -> str:
        return "tables"


# Where the built tables are stored if Python stores no bytecode.
_archives: list[Archive] = []


def keep_tables(archive: Archive) -> None:
    """Store the built tables in an archive where Python stores no bytecode."""
    _archives[:] = [archive]


def _archived(archive: Archive) -> Lark:
    """Build the parser from the file that lark wrote, stored in an archive; lark validates it."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "tables"
        built: list[Lark] = []

        def write() -> bytes:
            built.append(_built(_Copy(file)))
            return file.read_bytes()

        content = archive.find("grammar", sha256(whole_grammar().encode()).hexdigest(), write)
        if not built:
            file.write_bytes(content)
            built.append(_built(_Copy(file)))
    return built[0]


def _built(cache_file: str | None) -> Lark:
    """Build the parser, or read it from a file that lark caches."""
    return Lark(
        whole_grammar(),
        parser="lalr",
        lexer=_NoLexer,
        start=list(STARTS),
        keep_all_tokens=True,
        maybe_placeholders=True,
        transformer=builders(),
        cache=cache_file or False,
    )


def _tables_file() -> str | None:
    """Return the file with the built tables: a compiled grammar, stored beside the bytecode of modules.

    lark rebuilds it when the grammar, lark or Python has changed, or when the file is damaged. Building takes more than
    a second, loading a twentieth of that; without bytecode there is no such file.
    """
    if sys.dont_write_bytecode:
        return None
    module = Path(cache_from_source(__file__))
    with suppress(OSError):
        module.parent.mkdir(parents=True, exist_ok=True)
    return str(module.with_suffix(".tables"))


def _fixed_texts(pattern: Pattern) -> list[str]:
    """Return the texts of a terminal with a fixed few; empty for names, numbers and the like."""
    if isinstance(pattern, PatternStr):
        return [pattern.value]
    few = _FEW.fullmatch(pattern.value)
    return few[1].split("|") if few else []
