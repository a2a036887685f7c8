"""The keywords of the language by what tells them from names, without a parser: where they stand, and what follows.

In: the rules and states of the parser, compiler/source/grammar.py. Out: for each keyword whether it begins a paragraph,
a step or an aggregate, the one word that it always stands behind, and what may follow it.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from compiler.source.grammar import parser_tables

# Nonterminals that list what may be begun: paragraphs; steps, settings and questions.
HEADS = ("declaration", "law", "reading", "conduct")
STEPS = ("step", "setting", "ask")
# Terminals that stand for several words, all of them before `(`.
FUNCTIONS = ("AGGREGATE", "EXTREME", "SEARCH", "LINKED")
CONSTANTS = ("VERDICT_WORD", "CONDITION_WORD")
# Scopes of the words of some rules, wherever they stand; all others are `keyword.other`.
WORDS_OF = {
    "truth": "constant.language",
    "either": "keyword.operator.logical",
    "both": "keyword.operator.logical",
    "negation": "keyword.operator.logical",
    "is_test": "keyword.operator.word",
    "has_test": "keyword.operator.word",
    "in_test": "keyword.operator.word",
    "choice": "keyword.control.conditional",
    "branch": "keyword.control.conditional",
    "loop": "keyword.control.loop",
}


@dataclass(frozen=True, slots=True)
class Keyword:
    """A keyword: the signs and words that may follow it, its scope, and the only word that it stands behind, if so."""

    word: str
    followers: frozenset[str]
    scope: str = ""
    behind: str = ""


@dataclass(frozen=True, slots=True)
class Keywords:
    """All keywords of the language, each in one of the groups at least.

    `heads` may begin a paragraph; those apart that a name with parameters, a label or a plain name follows. `steps` may
    begin a step or setting, and `introducing` are words behind which one may begin. `functions` begin an aggregate;
    `anywhere` are those that may stand elsewhere.
    """

    heads: tuple[Keyword, ...]
    call_heads: tuple[str, ...]
    label_heads: tuple[str, ...]
    name_heads: tuple[str, ...]
    steps: tuple[Keyword, ...]
    introducing: tuple[str, ...]
    functions: tuple[str, ...]
    anywhere: tuple[Keyword, ...]

    def all(self) -> set[str]:
        """List the words of all groups."""
        return {each.word for each in (*self.heads, *self.steps, *self.anywhere)} | {*self.functions}


class Expansions:
    """The rules of the parser: the sequences of symbols that a nonterminal may be, and the words of a terminal."""

    def __init__(self) -> None:
        """Read the rules."""
        self.of: dict[str, list[tuple[str, ...]]] = {}
        for rule in parser_tables().lark.rules:
            self.of.setdefault(rule.origin.name, []).append(tuple(symbol.name for symbol in rule.expansion))
        self.words: dict[str, list[str]] = {}
        for word, terminals in parser_tables().vocabulary.words.items():
            for terminal in terminals:
                self.words.setdefault(terminal, []).append(word)

    def beginnings(self, symbol: str, seen: frozenset[str] = frozenset()) -> Iterator[tuple[str, ...]]:
        """List the sequences that begin with a terminal, of this nonterminal and of those that it may begin with."""
        for sequence in self.of.get(symbol, ()):
            if sequence and sequence[0] in self.of:
                if sequence[0] not in seen:
                    yield from self.beginnings(sequence[0], seen | {symbol})
            elif sequence:
                yield sequence

    def first_sequences(self, kinds: Iterable[str]) -> set[tuple[str, ...]]:
        """List the sequences with which one of these kinds may begin."""
        return {sequence for kind in kinds for sequence in self.beginnings(kind)}

    def heads(self, kinds: Iterable[str]) -> dict[str, set[tuple[str, ...]]]:
        """List the words that begin these, each with the two symbols that may follow it."""
        found: dict[str, set[tuple[str, ...]]] = {}
        for sequence in self.first_sequences(kinds):
            extending = sequence[0] == "EXTEND"
            if extending:
                found.setdefault("extend", set())
            for word in self.words.get(sequence[extending], ()):
                found.setdefault(word, set()).add(sequence[1 + extending : 3 + extending])
        return found

    def elsewhere(self, kinds: Iterable[str]) -> set[str]:
        """List the words that stand anywhere but where one of these kinds begins, aggregates left out."""
        skipped = {sequence: 1 + (sequence[0] == "EXTEND") for sequence in self.first_sequences(kinds)}
        return {
            word
            for sequences in self.of.values()
            for sequence in sequences
            for symbol in sequence[skipped.get(sequence, 0) :]
            if symbol not in FUNCTIONS
            for word in self.words.get(symbol, ())
        }

    def introducing(self, kinds: Iterable[str]) -> set[str]:
        """List the words right behind which one of these kinds may begin."""
        starts = self.first_sequences(kinds)
        return {
            word
            for sequences in self.of.values()
            for sequence in sequences
            for before, symbol in pairwise(sequence)
            if not starts.isdisjoint(self.beginnings(symbol))
            for word in self.words.get(before, ())
        }

    def words_of(self, rule: str) -> Iterator[str]:
        """List the words of a rule, those in its repeated parts too."""
        for name, sequences in self.of.items():
            if name == rule or re.fullmatch(rf"__{rule}_(?:star|plus)_\d+", name):
                yield from (
                    word for sequence in sequences for symbol in sequence for word in self.words.get(symbol, ())
                )

    def behind(self, word: str) -> str:
        """Return the only word that a word stands behind, or nothing."""
        before = {
            tuple(self.words.get(sequence[place - 1], ())) if place else ()
            for sequences in self.of.values()
            for sequence in sequences
            for place, symbol in enumerate(sequence)
            if word in self.words.get(symbol, ())
        }
        [only, *others] = before
        return only[0] if len(only) == 1 and not others else ""


@cache
def keywords() -> Keywords:
    """Sort the keywords of the language."""
    rules = Expansions()
    scopes = dict.fromkeys((word for each in CONSTANTS for word in rules.words[each]), "constant.language")
    for rule, scope in WORDS_OF.items():
        scopes |= {word: scope for word in rules.words_of(rule) if word not in scopes}
    followers = _followers()
    heads = rules.heads(HEADS)
    followed: dict[str, set[str]] = {}
    for word, following in heads.items():
        for first, *more in filter(None, following):
            kind = "CALL" if (first, *more) == ("NAME", "LPAR") else first
            followed.setdefault(kind, set()).add(word)
    return Keywords(
        tuple(Keyword(word, followers[word]) for word in sorted(heads)),
        tuple(sorted(followed["CALL"])),
        tuple(sorted(followed["LABEL"])),
        tuple(sorted(followed["NAME"])),
        tuple(Keyword(word, followers[word]) for word in sorted(rules.heads(STEPS))),
        tuple(sorted(rules.introducing(STEPS))),
        tuple(sorted({word for each in FUNCTIONS for word in rules.words[each]})),
        tuple(
            Keyword(word, followers[word], scopes.get(word, "keyword.other"), rules.behind(word))
            for word in sorted(rules.elsewhere([*HEADS, *STEPS]))
        ),
    )


def _followers() -> dict[str, frozenset[str]]:
    """List for each keyword the signs and keywords that the parser can take behind it, in any of its states.

    Sources in brackets begin with a sign.
    """
    read = parser_tables()
    texts: dict[str, set[str]] = {}
    for kinds in (read.vocabulary.words, read.vocabulary.symbols, {"[": ("CITES",)}):
        for text, terminals in kinds.items():
            for terminal in terminals:
                texts.setdefault(terminal, set()).add(text)
    after: dict[str, set[str]] = {}
    for state, actions in read.states.items():
        for terminal, (_, target) in actions.items():
            if terminal in texts and read.shiftable_terminal(state, (terminal,)):
                after.setdefault(terminal, set()).update(*(texts.get(each, ()) for each in read.states[target]))
    return {
        word: frozenset(text for each in terminals for text in after.get(each, ()))
        for word, terminals in read.vocabulary.words.items()
    }
