"""Shift unambiguous tokens in a fast loop: words, names and signs that can be one terminal only in the current state.

The input is a parser and a scanner without errors so far; the output is both of them before the first token that needs
the full scanner (a label, a number or a text) or that is unexpected. Nine tokens in ten are unambiguous. The scanner
and `feed` would have the same effect; this loop takes half the time.
"""

import sys
from collections.abc import Collection, Mapping

from compiler.source.parser_tables import BEGIN, Moves, Parser, expand
from compiler.source.scanner import OPERATORS, TOKEN, WORD, Scanner, Token, Vocabulary

# Represents every word that is no keyword anywhere; it is not a word itself.
ANY_NAME = "a name"

# For each state of the parser, the terminal of each unambiguous text.
Plain = Mapping[int, Mapping[str, str]]


class PlainTexts(dict[int, dict[str, str]]):
    """The unambiguous texts of each state, computed when the parser first reaches it: a file visits few states."""

    def __init__(self, states: Mapping[int, Collection[str]], vocabulary: Vocabulary) -> None:
        """Start empty; `states` contains the terminals that the parser can shift in each state."""
        super().__init__()
        self._states, self._vocabulary = states, vocabulary

    def __missing__(self, state: int) -> dict[str, str]:
        texts = self[state] = plain_texts(self._states[state], self._vocabulary)
        return texts


def plain_texts(usable: Collection[str], vocabulary: Vocabulary) -> dict[str, str]:
    """Return the texts that are one terminal only, whatever surrounds them, if the parser can shift these terminals."""
    plain = {}
    for text, kinds in vocabulary.symbols.items():
        if usable_kinds := [kind for kind in kinds if kind in usable]:
            plain[text] = sys.intern(usable_kinds[0])
    if "LABEL" not in usable and "STACK" not in usable:
        plain[ANY_NAME] = "NAME"
        for text, kinds in vocabulary.words.items():
            if len(kinds) == 1 and kinds[0] in usable:
                plain[text] = sys.intern(kinds[0])
    return plain


def shift_unambiguous(
    parser: Parser, scanner: Scanner, moves: Moves, plain: Plain, max_stack_depth: int
) -> Token | None:
    """Shift unambiguous tokens while they are expected and the stack is below `max_stack_depth`.

    Returns a token that is unambiguous but unexpected; None if the full scanner has to continue.
    """
    stack, values = parser.state_stack, parser.value_stack
    full_text, file, words = scanner.text, scanner.file, scanner.vocabulary.words
    line_start = line_end = line = shift = 0
    for found in TOKEN.finditer(full_text, scanner.position):
        group = found.lastindex
        start, end = found.span(group)  # type: ignore[arg-type]  # One group or another has matched.
        text = full_text[start:end]
        kinds_by_text = plain[stack[-1]]
        kind = kinds_by_text.get(text) or (kinds_by_text.get(ANY_NAME) if group == WORD and text not in words else None)
        if kind is None:
            break
        if not line_start <= start < line_end:
            scanner.find_line(start)
            line_start, line_end, line, shift = scanner.line_start, scanner.line_end, scanner.line, scanner.shift
        token = Token(kind, text, file, start, line, start + shift, line, end + shift)
        scanner.position = scanner.ended = end
        taking = expand(moves, stack, values, kind)
        if taking is None or len(stack) >= max_stack_depth:
            return token
        size, to = taking
        stack.append(to)
        values.append(token)
        if size == BEGIN:
            scanner.begin_member()
        elif text in OPERATORS:
            scanner.operators += 1
        if len(stack) > scanner.max_stack_depth:
            scanner.max_stack_depth = len(stack)
        scanner.before = text
    return None
