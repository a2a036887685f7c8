"""The grammar as tables: what the parser does in each state, and what the scanner must know.

Built once for a run; the only module that knows lark.
"""

import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

from lark import Lark, Tree
from lark.grammar import Rule
from lark.lexer import Lexer, LexerState, Pattern, PatternStr
from lark.parse_tree_builder import ChildFilterLALR, ChildFilterLALR_NoPlaceholders
from lark.parsers.lalr_analysis import Shift

from compiler.source.building import BUILDERS
from compiler.source.scan import Token, Vocabulary

# What `feed` does instead of building from so many parts.
SHIFT, RENAME = -1, -2
# Where a part stands that was left out: behind all others.
MISSING = -1
STARTS = ("start", "question", "written_type")
# Terminals that only ever begin a member of a list of paragraphs, steps or settings.
_FEW = re.compile(r"\((?:\?:)?([^()\[\]\\]+)\)(?:\\b)?")
MEMBERS = ("MEASURE", "RULE", "EXAMPLE", "READING", "STRIKE")


@dataclass(slots=True)
class Parser:
    """How far a text has been parsed; each value stands between two states."""

    state_stack: list[Any]
    value_stack: list[Any]


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

    `moves` are the states as `feed` wants them: for a terminal a size, a target and a builder, for a rule
    the next state. `lists` are the states in which a member of a list may begin, where a parser may start afresh.
    `ends` are those in which a whole text has been read. `fixed` is the text of keywords and signs.
    """

    lark: Lark
    moves: Mapping[Any, Mapping[str, Any]]
    states: Mapping[Any, Mapping[str, tuple[Any, Any]]]
    vocabulary: Vocabulary
    lists: frozenset[Any]
    ends: frozenset[Any]
    fixed: Mapping[str, str]
    # Where a row of renamings leads, by the state below, the state on top and the terminal ahead.
    chains: dict[tuple[Any, Any, str], Any]

    def begin(self, start: str) -> Parser:
        """Give a parser that expects `start` and has read nothing."""
        return Parser(list(self.lark.parse_interactive(start=start).parser_state.state_stack), [])

    def feed(self, parser: Parser, token: Token) -> bool:
        """Take a token, building what it completes; False when it does not fit.

        lark's own loop does the same, but builds a list and calls a function even where a name turns into a
        sum and a sum into a condition, seven steps for every word.
        """
        stack, values, moves, kind = parser.state_stack, parser.value_stack, self.moves, token.type
        while move := moves[stack[-1]].get(kind):
            size, to, build = move
            if size == SHIFT:
                stack.append(to)
                values.append(token)
                return True
            if size == RENAME:
                stack[-1] = self.renamed(stack[-2], stack[-1], kind)
            else:
                if size:
                    parts = values[-size:]
                    del stack[-size:], values[-size:]
                else:
                    parts = []
                stack.append(moves[stack[-1]][to])
                values.append(build(parts))
            if stack[-1] in self.ends:
                return True
        return False

    def renamed(self, below: Any, state: Any, kind: str) -> Any:
        """Follow renamings as long as nothing else is to be done."""
        found = self.chains.get((below, state, kind))
        if found is None:
            found = state
            while found not in self.ends and (move := self.moves[found].get(kind)) and move[0] == RENAME:
                found = self.moves[below][move[1]]
            self.chains[below, state, kind] = found
        return found

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
    lists = frozenset(
        state
        for state, actions in states.items()
        if any(each in actions and actions[each][0] is Shift for each in MEMBERS)
    )
    fixed = {each.name: each.pattern.value for each in lark.terminals if isinstance(each.pattern, PatternStr)}
    return Tables(
        lark,
        lay_out(states, conf.callbacks),
        states,
        Vocabulary(words, symbols),
        lists,
        frozenset(table.end_states.values()),
        fixed,
        {},
    )


def lay_out(states: Mapping[Any, Mapping[str, tuple[Any, Any]]], callbacks: Mapping[Any, Any]) -> dict[Any, Any]:
    """Lay the tables out for speed, with a builder for each rule: plain names, no rules to compare."""
    moves: dict[Any, dict[str, Any]] = {}
    builders = {rule: quicker(build) for rule, build in callbacks.items()}
    for state, actions in states.items():
        moves[state] = {}
        for name, (action, to) in actions.items():
            plain = sys.intern(str(name))
            if action is not Shift:
                size = RENAME if _renames(to) else len(to.expansion)
                moves[state][plain] = (size, sys.intern(str(to.origin.name)), builders[to])
            elif name.isupper() or name.startswith("__ANON") or name == "$END":
                moves[state][plain] = (SHIFT, to, None)
            else:
                moves[state][plain] = to
    return moves


def quicker(build: Any) -> Any:
    """Do what one of lark's builders does in fewer steps, where it lengthens a list or fills in what is missing."""
    if not isinstance(build, ChildFilterLALR | ChildFilterLALR_NoPlaceholders):
        return build
    first, *others = build.to_include or [(-1, False)]
    if any(each[1] for each in others):
        return build
    if not first[1]:
        return partial(_filled, tuple(_places(build)), build.node_builder)
    lengthens = isinstance(build.node_builder, partial) and build.node_builder.func is Tree
    whole = isinstance(build, ChildFilterLALR_NoPlaceholders) and [each[0] for each in build.to_include]
    return _longer if lengthens and whole == [*range(len(others) + 1)] else build


def _longer(parts: list[Any]) -> Any:
    """Put what follows behind the list that comes first."""
    parts[0].children += parts[1:]
    return parts[0]


def _places(build: Any) -> Iterator[int]:
    """Say which parts a builder takes, in order; what is left out stands behind the last."""
    for at, _, *missing in build.to_include:
        yield from [MISSING] * sum(missing)
        yield at
    yield from [MISSING] * getattr(build, "append_none", 0)


def _filled(places: tuple[int, ...], build: Any, parts: list[Any]) -> Any:
    """Build from the parts at these places."""
    parts.append(None)
    return build([parts[at] for at in places])


def _renames(rule: Rule) -> bool:
    """Tell whether a rule only gives its one part another name."""
    one = bool(rule.options.expand1) and len(rule.expansion) == 1 and not rule.alias
    return one and (rule.expansion[0].is_term or not rule.expansion[0].name.startswith("_"))


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
