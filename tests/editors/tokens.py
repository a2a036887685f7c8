"""The tokens of a text as the compiler reads them, classified for a highlighter."""

from collections.abc import Iterator
from dataclasses import dataclass

from compiler.source.grammar import parser_tables
from compiler.source.scanner import Scanner

KEYWORD, SIGN, END = "keyword", "sign", "$END"


@dataclass(frozen=True, slots=True)
class Read:
    """A token: `keyword`, `sign` or its terminal, with text, line and first column, both from zero."""

    kind: str
    text: str
    line: int
    column: int


def read(text: str) -> Iterator[Read]:
    """Yield the tokens of a text without errors."""
    grammar = parser_tables()
    fixed = grammar.vocabulary.words, grammar.vocabulary.symbols
    parser = grammar.begin("start")
    scanner = Scanner(text, "", grammar.vocabulary)
    scanner.takes = lambda terminal: grammar.accepts(parser.state_stack, terminal)
    while (token := scanner.next_token(grammar.states[parser.state_stack[-1]])).type != END:
        assert grammar.feed(parser, token), token
        kinds = (
            kind for kind, texts in zip((KEYWORD, SIGN), fixed, strict=True) if token.type in texts.get(token.text, ())
        )
        yield Read(next(kinds, token.type), token.text, token.line - 1, token.column - 1)
