"""The grammar as tables: what the parser does in each state, and what the scanner must know.

Built once for a run; the only module that knows lark.
"""

import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

from lark import Lark
from lark.lexer import Lexer, LexerState, Pattern, PatternStr
from lark.parsers.lalr_analysis import Shift
from lark.parsers.lalr_parser_state import ParserState

from compiler.source.building import BUILDERS
from compiler.source.scan import Vocabulary

STARTS = ("start", "question", "written_type")
# Terminals that only ever begin a member of a list of paragraphs, steps or settings.
_FEW = re.compile(r"\((?:\?:)?([^()\[\]\\]+)\)(?:\\b)?")
MEMBERS = ("MEASURE", "RULE", "EXAMPLE", "READING", "STRIKE")


class _NoLexer(Lexer):
    """Stands where lark would build a lexer: ours follows the parser step by step."""

    def __init__(self, conf: object) -> None:
        pass

    def lex(self, lexer_state: LexerState, parser_state: Any) -> Iterator[Any]:  # noqa: ARG002 lark's signature
        """Give nothing: tokens are fed by hand."""
        return iter(())


@dataclass(frozen=True, slots=True)
class Tables:
    """The parser and what follows from its grammar.

    `lists` are the states in which a member of a list may begin, where a parser may start afresh.
    `ends` are those in which a whole text has been read. `fixed` is the text of keywords and signs.
    """

    lark: Lark
    states: Mapping[Any, Mapping[str, tuple[Any, Any]]]
    vocabulary: Vocabulary
    lists: frozenset[Any]
    ends: frozenset[Any]
    fixed: Mapping[str, str]

    def begin(self, start: str) -> ParserState[Any]:
        """Give a parser that expects `start` and has read nothing."""
        return self.lark.parse_interactive(start=start).parser_state

    def shifts(self, state: Any, terminals: tuple[str, ...]) -> str | None:
        """Find which of the terminals the parser can take in this state as it stands."""
        actions = self.states[state]
        return next((each for each in terminals if each in actions and actions[each][0] is Shift), None)

    def takes(self, stack: list[Any], terminal: str) -> bool:
        """Tell whether the parser would get over `terminal`, reductions included."""
        stack = list(stack)
        while action := self.states[stack[-1]].get(terminal):
            if action[0] is Shift:
                return True
            rule = action[1]
            del stack[len(stack) - len(rule.expansion) :]
            stack.append(self.states[stack[-1]][rule.origin.name][1])
            if stack[-1] in self.ends:
                return True
        return False


@cache
def tables() -> Tables:
    """Build the parser; the second call is free."""
    lark = Lark(
        Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8"),
        parser="lalr",
        lexer=_NoLexer,
        start=list(STARTS),
        keep_all_tokens=True,
        maybe_placeholders=True,
        transformer=BUILDERS,
        cache=_kept(),
    )
    words: dict[str, tuple[str, ...]] = {}
    symbols: dict[str, tuple[str, ...]] = {}
    for terminal in lark.terminals:
        for text in _fixed_texts(terminal.pattern):
            kinds = words if text.isalpha() else symbols
            kinds[text] = (*kinds.get(text, ()), terminal.name)
    conf = lark.parse_interactive(start="start").parser_state.parse_conf
    table, states = conf.parse_table, conf.states
    _intern(states, conf.callbacks)
    lists = frozenset(
        state
        for state, actions in states.items()
        if any(each in actions and actions[each][0] is Shift for each in MEMBERS)
    )
    fixed = {each.name: each.pattern.value for each in lark.terminals if isinstance(each.pattern, PatternStr)}
    return Tables(lark, states, Vocabulary(words, symbols), lists, frozenset(table.end_states.values()), fixed)


def _intern(states: dict[Any, dict[str, tuple[Any, Any]]], callbacks: dict[Any, Any]) -> None:
    """Make equal names and equal rules the same objects.

    The parser looks both up at every step; lark's own comparisons, in Python, cost a third of all parsing.
    """
    rules = {rule: rule for rule in callbacks}
    for rule in rules:
        rule.origin.name = sys.intern(str(rule.origin.name))
    for actions in states.values():
        same = {sys.intern(str(name)): (action, rules.get(to, to)) for name, (action, to) in actions.items()}
        actions.clear()
        actions.update(same)


def _kept() -> str | bool:
    """Name the file that holds the built tables: a compiled grammar, kept where Python keeps compiled modules.

    lark rebuilds them when grammar, lark or Python changed, and when the file is torn. Building takes a
    quarter of a second, reading it back a tenth of that; who does not want compiled files beside sources gets none.
    """
    if sys.dont_write_bytecode:
        return False
    module = Path(cache_from_source(__file__))
    with suppress(OSError):
        module.parent.mkdir(parents=True, exist_ok=True)
    return str(module.with_suffix(".tables"))


def _fixed_texts(pattern: Pattern) -> list[str]:
    """List the texts of a terminal that has a fixed few; none for names, numbers and the like."""
    if isinstance(pattern, PatternStr):
        return [pattern.value]
    few = _FEW.fullmatch(pattern.value)
    return few[1].split("|") if few else []
