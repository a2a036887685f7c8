"""Split a text into tokens on demand of the parser.

The input is a text and, at each step, the terminals that the parser could shift; the output is one token with its span.
Numbers are exact and short, citations are full ids, and characters in a text that a terminal could interpret as
commands are reported. Reports stray and unprintable characters, unterminated texts, bad numbers and bad citations; each
is replaced by the token that was probably meant, so that one error causes one report.

A word is a keyword only where the grammar accepts it. lark's own contextual lexer has the same idea, but takes
`rulebook` for `rule` and `book` where no name is accepted, and cannot report an unterminated quote.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from compiler.source.character_checks import UNPRINTABLE, CharacterProblem, name_problem, tag_in
from compiler.source.citations import read_cites
from compiler.source.finding import Finding
from compiler.source.findings.characters import TYPOGRAPHIC, BadCharacter, OddSign, UnterminatedText
from compiler.source.findings.literals import BadCite, BadNumber
from compiler.source.span import Span
from runtime.graph.frozen_dataclass import frozen_dataclass

# Nine digits: no rulebook has larger numbers, and int() of a megabyte of digits takes minutes.
LONGEST_NUMBER = 9

LANGUAGE_TOKEN = re.compile(
    r"""(?:[ \t\r\n\f]++|\#[^\n]*+)*+(?:(?P<word>[A-Za-z_][A-Za-z0-9_]*+(?![\w\u0300-\u036f]))
    |(?P<foreign>[^\W\d][\w\u0300-\u036f]*+)
    |(?P<symbol>\.\.|!=|<=|>=|[=<>+*/.,:|?(){}\[\]-])
    |(?P<number>[0-9]++(?:/[0-9]++)?)
    |(?P<string>"[^"\n]*+"?)
    |(?P<quoted>'[^'\n]*+'?)
    |(?P<stray>[^\s\w"'#=<>!+*/.,:|?(){}\[\]-]++|.)
    |(?P<end>\Z))
    """,
    re.VERBOSE,
)
# Where parsing may resume after an error; texts and comments are skipped.
_LANDMARK = re.compile(
    r"""\"[^"\n]*+"?|'[^'\n]*+'?|\#[^\n]*+|(?P<brace>[{}])|^[ \t]*+(?P<word>[A-Za-z_]\w*+)""", re.VERBOSE | re.MULTILINE
)
# Operators of long chains: `a + b + c`, `a.b.c`.
OPERATORS = frozenset("+-*/.")
# Their groups backtrack: possessive ones do not match correctly before Python 3.11.5 (gh-106052).
_LABEL = re.compile(r"[a-z][a-z0-9]*+(?:-[a-z0-9]++)*")
_STACK = re.compile(r"[a-z][a-z0-9_]*+(?:\+[a-z0-9_=-]++)*")
_CITES = re.compile(r"\[[^\[\]{}\"]*+\]")
# Suffixes that make a number invalid: adjacent letters, or a decimal part.
_JOINED = re.compile(r"\.[0-9]\w*+|\w++")


@dataclass(slots=True)
class Token:
    """A token with its terminal. `value` is the value of a number or of a list of citations."""

    type: str
    text: str
    file: str
    start: int
    line: int
    column: int
    end_line: int
    end_column: int
    value: Any = None

    @property
    def span(self) -> Span:
        """Return the span of the token."""
        return Span(self.file, self.line, self.column, self.end_line, self.end_column)


@frozen_dataclass
class TokenVocabulary:
    """The fixed texts of the grammar: the terminals that a word or a sign may be."""

    words: Mapping[str, tuple[str, ...]]
    symbols: Mapping[str, tuple[str, ...]]


@dataclass(slots=True)
class Scanner:
    """A text with the state of its scanning. `lines` are the offsets at which lines start."""

    text: str
    file: str
    vocabulary: TokenVocabulary
    first: tuple[int, int] = (1, 1)
    # Queries the parser about a word such as `set`, which starts a step here and a term there: where the tables merge
    # two contexts, a terminal may be listed and still be unexpected.
    takes: Callable[[str], bool] = bool
    position: int = 0
    # The text of the last token, its end, and whether it was a number.
    before: str = ""
    ended: int = 0
    after_number: bool = False
    lines: list[int] = field(default_factory=list)
    # The line of the last lookup: its number in the whole file, the difference of column and offset, and its start and
    # end.
    line: int = 0
    shift: int = 0
    line_start: int = 0
    line_end: int = 0
    problems: list[Finding] = field(default_factory=list)
    # There was an error in this statement; a further one is probably its consequence.
    after_error: bool = False
    # Offsets of words that are keywords although a name would be accepted.
    certain_keywords: set[int] = field(default_factory=set)
    # Closing braces that may still follow although their opening ones were discarded.
    unmatched: int = 0
    # Only deep nesting or long chains (`a + b + c`, `a.b.c`) can produce a deep tree.
    max_stack_depth: int = 0
    operators: int = 0
    # The most operators in one member of a list: a statement, a step.
    longest: int = 0

    def __post_init__(self) -> None:
        self.lines = [0, *(match.end() for match in re.finditer("\n", self.text))]

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """Return line and column of an offset, relative to the whole file."""
        if not self.line_start <= offset < self.line_end:
            self.find_line(offset)
        return self.line, offset + self.shift

    def find_line(self, offset: int) -> None:
        """Find the line of an offset; consecutive tokens are mostly on the same line."""
        line = bisect_right(self.lines, offset)
        self.line_start = self.lines[line - 1]
        self.line_end = self.lines[line] if line < len(self.lines) else len(self.text) + 1
        self.line, self.shift = line + self.first[0] - 1, self.first[1] - self.line_start

    def span(self, start: int, end: int) -> Span:
        """Return the span of an interval of offsets."""
        return Span(self.file, *self.line_and_column(start), *self.line_and_column(end))

    def starts_line(self, offset: int) -> bool:
        """Return whether only blanks precede `offset` in its line."""
        return not self.text[self.lines[bisect_right(self.lines, offset) - 1] : offset].strip()

    def report_slip(self, problem: Finding) -> None:
        """Report an error inside a statement and continue as if the text were correct."""
        if not self.after_error and problem not in self.problems:
            self.problems.append(problem)
        self.after_error = True

    def next_token(self, usable: Mapping[str, Any]) -> Token:
        """Scan one token; `usable` are the terminals that the parser can shift."""
        while True:
            found = LANGUAGE_TOKEN.match(self.text, self.position)
            assert found is not None, "any sign is a token, and so is the end"
            token_class = found.lastgroup or ""
            start, end = found.span(token_class)
            match token_class:
                case "word" | "foreign":
                    return self._word(start, end, usable)
                case "symbol":
                    return self._symbol(start, end, usable)
                case "number":
                    return self._number(start, end, usable)
                case "string":
                    return self._string(start, end)
                case "quoted":
                    return self._quoted(start, end)
                case "end":
                    # An unexpected end is reported at the end of the text, not after its blank lines.
                    return self._token("$END", self.ended, self.ended)
                case _:
                    if token := self._typographic(start):
                        return token
                    self.position = end
                    self._report_bad_character(start, end)

    def begin_member(self) -> None:
        """Reset the count of operators: no chain of operators extends over two members of a list."""
        if self.operators:
            self.longest = max(self.longest, self.operators)
            self.operators = 0

    def line_starts(self, offset: int) -> Iterator[Token]:
        """Return braces and the words that start lines from `offset` on, whatever the parser could shift."""
        for found in _LANDMARK.finditer(self.text, offset):
            if found.lastgroup:
                start, end = found.span(found.lastgroup)
                yield self._piece("", start, end)

    def _token(self, kind: str, start: int, end: int, value: Any = None) -> Token:
        """Scan a token within one line."""
        self.position = self.ended = end
        self.after_number = kind in ("NUMBER", "INTEGER")
        if not self.line_start <= start < self.line_end:
            self.find_line(start)
        line, shift = self.line, self.shift
        return Token(kind, self.text[start:end], self.file, start, line, start + shift, line, end + shift, value)

    def _piece(self, kind: str, start: int, end: int, value: Any = None) -> Token:
        line, column = self.line_and_column(start)
        return Token(kind, self.text[start:end], self.file, start, line, column, line, column + end - start, value)

    def _word(self, start: int, end: int, usable: Mapping[str, Any]) -> Token:
        text = self.text[start:end]
        if not text.isascii():
            self.report_slip(BadCharacter(self.span(start, end), text[:20]))
        kinds = self.vocabulary.words.get(text, ())
        if not kinds and not self.after_number and "LABEL" not in usable and "STACK" not in usable:
            return self._token("NAME", start, end)
        label = _LABEL.match(self.text, start) if "LABEL" in usable else None
        if label is None or label.end() == end:
            # A word of one terminal is that keyword wherever a correct text has it; in an incorrect text, an error is
            # located better at the keyword than after a name that is spelled like it.
            for kind in kinds:
                if kind in usable and (len(kinds) == 1 or self.takes(kind)):
                    return self._token(kind, start, end)
        if label is not None and (label.end() >= end or "NAME" not in usable):
            return self._token("LABEL", start, label.end())
        if "STACK" in usable and (stack := _STACK.match(self.text, start)):
            return self._token("STACK", start, stack.end())
        # A measure is adjacent to its number; a word on the next line is an unknown paragraph.
        misplaced = self.after_number and self.starts_line(start)
        is_name = "NAME" in usable and start not in self.certain_keywords and not misplaced
        return self._token("NAME" if is_name or not (kinds or misplaced) else (*kinds, "")[0], start, end)

    def _symbol(self, start: int, end: int, usable: Mapping[str, Any]) -> Token:
        text = self.text[start:end]
        if text == "[" and "LSQB" not in usable:
            cited = _CITES.match(self.text, start)
            if "CITES" in usable:
                return self._cites(start)
            end = cited.end() if cited else end
        if text in OPERATORS:
            self.operators += 1
        kinds = self.vocabulary.symbols[text]
        kind = kinds[0]
        if kind not in usable:
            kind = next((each for each in kinds if each in usable), kind)
        return self._token(kind, start, end)

    def _cites(self, start: int) -> Token:
        found = _CITES.match(self.text, start)
        if found is None:
            line_end = self.text.find("\n", start)
            end = len(self.text) if line_end < 0 else line_end
            self.report_slip(UnterminatedText(self.span(start, end), "["))
            return self._token("CITES", start, end, ())
        cites, cite_problems = read_cites(
            self.text[start + 1 : found.end() - 1], self.file, self.line_and_column, start + 1
        )
        if not (cites or cite_problems):
            self.report_slip(BadCite(self.span(start, found.end()), "[]"))
        for problem in cite_problems:
            self.report_slip(problem)
        token = self._token("CITES", start, found.end(), cites)
        token.end_line, token.end_column = self.line_and_column(found.end())
        return token

    def _number(self, start: int, end: int, usable: Mapping[str, Any]) -> Token:
        joined = _JOINED.match(self.text, end)
        end = joined.end() if joined else end
        kind = "INTEGER" if "INTEGER" in usable else "NUMBER"
        top, _, bottom = self.text[start:end].partition("/")
        good = not joined and max(len(top), len(bottom)) <= LONGEST_NUMBER
        if not good or (bottom and (kind == "INTEGER" or not int(bottom))):
            self.report_slip(BadNumber(self.span(start, end), self.text[start:end][:40]))
            return self._token(kind, start, end, Fraction(1))
        return self._token(kind, start, end, Fraction(int(top), int(bottom or 1)))

    def _string(self, start: int, end: int) -> Token:
        if end - start < 2 or self.text[end - 1] != '"':
            if closing := self._last(start + 1, end, '"'):
                self.report_slip(BadCharacter(self.span(closing, closing + 1), self.text[closing]))
                return self._token("STRING", start, closing + 1, self.text[start + 1 : closing])
            self.report_slip(UnterminatedText(self.span(start, end), '"'))
        self._report_odd_sign(tag_in(self.text[start + 1 : end]), start + 1)
        return self._token("STRING", start, end, self.text[start + 1 : end].removesuffix('"'))

    def _quoted(self, start: int, end: int) -> Token:
        value = self.text[start + 1 : end].removesuffix("'")
        if end - start < 2 or self.text[end - 1] != "'":
            self.report_slip(UnterminatedText(self.span(start, end), "'"))
        self._report_odd_sign(name_problem(value), start + 1)
        return self._token("QUOTED", start, end, value)

    def _report_odd_sign(self, found: CharacterProblem | None, start: int) -> None:
        """Report a forbidden character in a name or a text that starts at `start`."""
        if found is not None:
            offset = start + found.start
            self.report_slip(
                OddSign(self.span(offset, offset + len(found.sign)), found.sign, found.category, found.letter)
            )

    def _typographic(self, start: int) -> Token | None:
        """Scan a text in typographic quotes as if they were straight, if it is closed in its line."""
        straight = TYPOGRAPHIC.get(self.text[start])
        line_end = self.text.find("\n", start)
        if straight is None or not (closing := self._first(start + 1, line_end if line_end > 0 else None, straight)):
            return None
        self.report_slip(BadCharacter(self.span(start, start + 1), self.text[start]))
        kind = "STRING" if straight == '"' else "QUOTED"
        return self._token(kind, start, closing + 1, self.text[start + 1 : closing])

    def _first(self, start: int, end: int | None, straight: str) -> int:
        """Return the offset of the first quote, straight or not, in an interval; 0 if there is none."""
        signs = enumerate(self.text[start:end], start)
        return next((offset for offset, sign in signs if sign == straight or TYPOGRAPHIC.get(sign) == straight), 0)

    def _last(self, start: int, end: int, straight: str) -> int:
        """Return the offset of the last typographic quote, as a text may contain more of them; 0 if there is none."""
        return next(
            (offset for offset in range(end - 1, start - 1, -1) if TYPOGRAPHIC.get(self.text[offset]) == straight), 0
        )

    def _report_bad_character(self, start: int, end: int) -> None:
        if not UNPRINTABLE.match(self.text, start):
            self.report_slip(BadCharacter(self.span(start, end), self.text[start:end][:20]))
