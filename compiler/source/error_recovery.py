"""Recover from a syntax error: report it once, discard the paragraph, and continue with the next.

The input is a parser that cannot shift a token; the output is the same parser in a state that can shift the next
paragraph, with the scanner before it. Statements that are already built stay valid.

Parsing resumes at the next line that starts with a keyword which some list still open on the stack can shift (panic
mode), or at the brace that closes such a list. Layout is free, but authors start paragraphs on new lines; a scan for
keywords anywhere would take the parameter `to` for the end of a paragraph.
"""

import re
from copy import copy
from dataclasses import replace

from compiler.source.expected_tokens import expected_phrases
from compiler.source.findings.unexpected_token import UnexpectedToken
from compiler.source.grammar import MEMBER_RULES, ParserTables, paragraph_keywords
from compiler.source.nodes import Rule, Ruling, Word
from compiler.source.parser_tables import Parser
from compiler.source.scanner import Scanner, Token
from compiler.source.span import NOWHERE, Span
from compiler.source.suggestions import nearest_names

# Keywords that may also start a setting or step, which is recognized by its position at the start of a line.
_NOTED = {"side", "status", "track"}
# Before one of these signs, a word is a name, not a keyword.
_NAME_GOES_ON = re.compile(r"\s*[.,)=<>+*/|\]!:(-]")
# A number with an adjacent word, which would be its measure, directly before the unexpected token.
_MEASURE = re.compile(r"[0-9][ \t]+([A-Za-z_]\w*)\s*\Z")
_LONGEST_WORD = 80
# The conclusion of a rule: `spent is 3 MP`, `may_go forbidden`.
_CONCLUDES = re.compile(r"\w+\s*(?:\.\s*\w+\s+)?\b(?:is|adds|offers|includes|excludes|allowed|forbidden|holds|fails)\b")
# `set victims(h: hex)` starts a term, `set x.spent to 3` a step.
_TERM = re.compile(r"\s+\w+\s*\(")


def recover_from_error(parser: Parser, scanner: Scanner, grammar: ParserTables, token: Token, after: str) -> bool:
    """Report the unexpected token and resume; False if there is no place to resume."""
    if token.type == "RBRACE" and scanner.unmatched and _innermost_brace(parser) is None:
        scanner.unmatched -= 1
        return True
    if second := _without_comma(parser, scanner, grammar, token):
        report = _facts(parser, scanner, grammar, second, after)
        scanner.report_slip(replace(report, lacks_comma=True, skipped=NOWHERE))
        grammar.feed(parser, _comma_before(second))
        scanner.position = second.start
        return True
    if token.type == "$END" or scanner.starts_line(token.start):
        _finish(parser, grammar, token)
    base = _top_list(parser, grammar)
    start_token = _begun(parser, grammar, token)
    if base is not None and _read_again(parser, scanner, base, start_token, token):
        return True
    report = _facts(parser, scanner, grammar, token, after)
    going_on = base is not None and _resume(parser, scanner, grammar, token.start, 0)
    if not scanner.after_error:
        end = scanner.line_and_column(scanner.position) if going_on else (token.end_line, token.end_column)
        skipped = Span(scanner.file, start_token.line, start_token.column, *end)
        scanner.problems.append(replace(report, skipped=skipped))
    return going_on


def _without_comma(parser: Parser, scanner: Scanner, grammar: ParserTables, token: Token) -> Token | None:
    """Find the list member that only lacks the comma before it: with a comma, two more tokens can be shifted.

    Neither a keyword nor a probable misspelling of one qualifies: after `{u in all unit`, the intended word may be
    `where`. A member that starts a line has to be indented, as it may be an unknown paragraph.
    """
    stack = parser.state_stack
    listed = token.text[:1].isalnum() or token.text[:1] in {'"', "'"} or token.text == "("
    if not listed or not grammar.accepts(stack, "COMMA"):
        return None
    if scanner.starts_line(token.start) and token.column <= _begun(parser, grammar, token).column:
        return None
    # Lists that are being built are extended in place.
    values = [list(each) if type(each) is list else each for each in parser.value_stack]
    tried = Parser(list(stack), values)
    ahead = copy(scanner)
    ahead.problems, ahead.certain_keywords, ahead.position = [], set(scanner.certain_keywords), token.start
    ahead.takes = lambda terminal: grammar.accepts(tried.state_stack, terminal)
    grammar.feed(tried, _comma_before(token))
    second = ahead.next_token(grammar.states[tried.state_stack[-1]])
    keywords = [grammar.fixed[each] for each in grammar.states[stack[-1]] if grammar.fixed.get(each, "").isalpha()]
    if (
        second.text in grammar.vocabulary.words
        or nearest_names(second.text, keywords)
        or not grammar.feed(tried, second)
    ):
        return None
    third = ahead.next_token(grammar.states[tried.state_stack[-1]])
    return second if not ahead.problems and grammar.feed(tried, third) else None


def _comma_before(token: Token) -> Token:
    return replace(token, type="COMMA", text=",", end_line=token.line, end_column=token.column)


def _begun(parser: Parser, grammar: ParserTables, token: Token) -> Token:
    """Return the first word of the paragraph, step or setting being parsed, which is its keyword."""
    base = _top_list(parser, grammar)
    first = parser.value_stack[base:][:1]
    return first[0] if first and type(first[0]) is Token else token


def _read_again(parser: Parser, scanner: Scanner, base: int, start_token: Token, token: Token) -> bool:
    """Parse again from the start of the paragraph if the next one was taken for a part of it.

    After `when`, the `rule` of the next line may be a name, and the error occurs only at the label. With that word
    fixed as a keyword, the report is at the place where the paragraph breaks off.
    """
    for seen in scanner.line_starts(start_token.start + len(start_token.text)):
        if seen.start >= token.start:
            break
        is_new = seen.start not in scanner.certain_keywords
        if is_new and seen.text in paragraph_keywords() and _begins_line(scanner, seen):
            scanner.certain_keywords.add(seen.start)
            scanner.position = start_token.start
            _cut(parser, base)
            return True
    return False


def discard_paragraph(parser: Parser, scanner: Scanner, grammar: ParserTables) -> bool:
    """Discard the whole paragraph that is being parsed, at any depth, and resume."""
    outermost = next((index for index, state in enumerate(parser.state_stack) if state in grammar.lists), None)
    if outermost is None:
        return False
    # The start of a file has two such states: before its first paragraph and after it.
    bottom = outermost + (parser.state_stack[outermost + 1] in grammar.lists)
    depth = sum(type(value) is Token and value.type == "LBRACE" for value in parser.value_stack[bottom:])
    _cut(parser, bottom)
    return _resume(parser, scanner, grammar, scanner.position, depth)


def _finish(parser: Parser, grammar: ParserTables, token: Token) -> None:
    """Reduce the paragraph before `token` if it could end there: only what follows is discarded then.

    Any keyword that may follow makes the parser reduce; the keyword itself is popped again.
    """
    follower = next((each for each in MEMBER_RULES if grammar.accepts(parser.state_stack, each)), None)
    if follower and parser.state_stack[-1] not in grammar.lists:
        grammar.feed(parser, replace(token, type=follower))
        _cut(parser, len(parser.state_stack) - 2)


# ---------------------------------------------------------------- the report


def _facts(parser: Parser, scanner: Scanner, grammar: ParserTables, token: Token, after: str) -> UnexpectedToken:
    """Collect the facts of the report before the stack is truncated."""
    stack = parser.state_stack
    usable = {each for each in grammar.states[stack[-1]] if each.isupper() and grammar.accepts(stack, each)}
    keywords = [grammar.fixed[each] for each in usable if each in grammar.fixed and grammar.fixed[each].isalpha()]
    candidates = _probable_keyword(scanner, grammar, token, keywords)
    opened = _innermost_brace(parser) if "RBRACE" in usable else None
    return UnexpectedToken(
        token.span,
        token.text,
        expected_phrases(usable, after, grammar.fixed),
        after,
        _paragraph(parser),
        candidates,
        None if opened is None else parser.value_stack[opened].span,
        token.span,
        _misplaced_conclusion(parser, scanner, token),
        _word_before_parenthesis(parser),
    )


def _word_before_parenthesis(parser: Parser) -> str:
    """Return the word before the innermost open parenthesis."""
    values, closed = parser.value_stack, 0
    for index in range(len(values) - 1, 0, -1):
        sign = getattr(values[index], "type", "")
        if sign == "RPAR":
            closed += 1
        elif sign == "LPAR" and closed:
            closed -= 1
        elif sign == "LPAR":
            word = values[index - 1]
            return word.text if type(word) is Token else ""
    return ""


def _misplaced_conclusion(parser: Parser, scanner: Scanner, token: Token) -> str:
    """Return how a conclusion behind a complete rule is misplaced: too `late`, or `another` one; "" if it is not."""
    built = getattr(parser.value_stack[-1], "children", None) if parser.value_stack else None
    rule = built[-1] if built else None
    if (
        token.type not in ("NAME", "")
        or not isinstance(rule, Rule | Ruling)
        or not _CONCLUDES.match(scanner.text, token.start)
    ):
        return ""
    return "late" if _concludes_nothing(rule) else "another"


def _concludes_nothing(rule: Rule | Ruling) -> bool:
    return not any(
        isinstance(each, Rule) and each.conclusion for each in (rule.laws if isinstance(rule, Ruling) else (rule,))
    )


def _probable_keyword(scanner: Scanner, grammar: ParserTables, token: Token, keywords: list[str]) -> tuple[str, ...]:
    """Return the keywords that a word may be a misspelling of: this word, or the one before it, taken for a measure."""
    if token.type in ("NAME", ""):
        return nearest_names(token.text, keywords)
    before = _MEASURE.search(scanner.text, max(0, token.start - _LONGEST_WORD), token.start)
    return nearest_names(before[1], grammar.vocabulary.words) if before else ()


def _paragraph(parser: Parser) -> tuple[Word, ...]:
    """Return the keyword of the unfinished paragraph and, if it was read, its name."""
    tokens = [value for value in parser.value_stack if type(value) is Token]
    for index in range(len(tokens) - 1, -1, -1):
        if tokens[index].text in paragraph_keywords():
            named = [each for each in tokens[index + 1 : index + 3] if each.type in ("NAME", "LABEL", "STRING")]
            if len(tokens) == 1:
                return ()
            return tuple(Word(each.span, each.text) for each in (tokens[index], *named[:1]))
    if len(tokens) > 1 and tokens[0].text in _NOTED:
        return tuple(Word(each.span, each.text) for each in tokens[:2])
    return ()


# ---------------------------------------------------------------- where to resume


def _resume(parser: Parser, scanner: Scanner, grammar: ParserTables, offset: int, depth: int) -> bool:
    """Skip to where the parser can resume; `depth` braces of the skipped text are open."""
    for seen in scanner.line_starts(offset):
        if seen.text == "{":
            depth += 1
        elif seen.text == "}" and depth:
            depth -= 1
        elif seen.text == "}":
            if _close_list(parser, grammar):
                scanner.position = seen.start
                return True
        elif _begins_line(scanner, seen) and (not depth or seen.text in paragraph_keywords()):
            kinds = _kinds(scanner, seen)
            if kinds and _open_list(parser, scanner, grammar, kinds, seen):
                scanner.unmatched += depth
                scanner.position = seen.start
                return True
    scanner.position = len(scanner.text)
    return _close_until(parser, scanner, grammar, ("$END",), None)


def _begins_line(scanner: Scanner, seen: Token) -> bool:
    """Return whether a word at the start of a line is a keyword there."""
    goes_on = _NAME_GOES_ON.match(scanner.text, seen.start + len(seen.text))
    return seen.text == "stop" or goes_on is None


def _kinds(scanner: Scanner, seen: Token) -> tuple[str, ...]:
    """Return the terminals that a keyword at the start of a line can be."""
    kinds = scanner.vocabulary.words.get(seen.text, ())
    if "TERM_KIND" in kinds:
        is_term = _TERM.match(scanner.text, seen.start + len(seen.text))
        return ("TERM_KIND",) if is_term else tuple(kind for kind in kinds if kind != "TERM_KIND")
    return kinds


def _close_list(parser: Parser, grammar: ParserTables) -> bool:
    """Close the innermost list of paragraphs or steps at a closing brace; a brace that closes a set is dropped."""
    brace = _innermost_brace(parser)
    if brace is None:
        return False
    if parser.state_stack[brace + 1] not in grammar.lists:
        _cut(parser, brace)
        return False
    top = _top_list(parser, grammar)
    _cut(parser, brace + 1 if top is None else top)
    return grammar.accepts(parser.state_stack, "RBRACE")


def _open_list(parser: Parser, scanner: Scanner, grammar: ParserTables, kinds: tuple[str, ...], seen: Token) -> bool:
    """Truncate the stack so that a paragraph of one of these kinds can start; missing braces are closed."""
    stack = parser.state_stack
    lists = [index for index in range(len(stack) - 1, -1, -1) if stack[index] in grammar.lists]
    target = next((index for index in lists if grammar.shiftable_terminal(stack[index], kinds)), None)
    if target is None:
        return False
    forgotten = any(type(value) is Token and value.type == "LBRACE" for value in parser.value_stack[target : lists[0]])
    if not forgotten:
        _cut(parser, target)
        return True
    return seen.text in paragraph_keywords() and _close_until(parser, scanner, grammar, kinds, seen)


def _close_until(
    parser: Parser, scanner: Scanner, grammar: ParserTables, kinds: tuple[str, ...], seen: Token | None
) -> bool:
    """Discard the broken paragraph and insert closing braces until one of these kinds can follow."""
    stack = parser.state_stack
    top = _top_list(parser, grammar)
    while top is not None:
        _cut(parser, top)
        while not any(grammar.accepts(stack, kind) for kind in kinds) and grammar.accepts(stack, "RBRACE"):
            start = scanner.position if seen is None else seen.start
            brace = Token(
                "RBRACE", "}", scanner.file, start, *scanner.line_and_column(start), *scanner.line_and_column(start)
            )
            grammar.feed(parser, brace)
            scanner.unmatched += 1
        if any(grammar.accepts(stack, kind) for kind in kinds):
            return True
        # The search proceeds strictly outwards; otherwise a block that its owner cannot end with would be closed
        # repeatedly.
        below = range(min(top, len(stack)) - 1, -1, -1)
        top = next((index for index in below if stack[index] in grammar.lists), None)
    return False


def _top_list(parser: Parser, grammar: ParserTables) -> int | None:
    """Return the innermost state in which a paragraph, step or setting can start."""
    stack = parser.state_stack
    return next((index for index in range(len(stack) - 1, -1, -1) if stack[index] in grammar.lists), None)


def _innermost_brace(parser: Parser) -> int | None:
    """Return the index of the innermost open brace among the values."""
    values = parser.value_stack
    return next(
        (
            index
            for index in range(len(values) - 1, -1, -1)
            if type(values[index]) is Token and values[index].type == "LBRACE"
        ),
        None,
    )


def _cut(parser: Parser, state: int) -> None:
    """Truncate the stacks after a state; each value lies between two states."""
    del parser.state_stack[state + 1 :]
    del parser.value_stack[state:]
