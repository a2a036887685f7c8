"""Parse the text of a `.rules` file to statements.

The input is a text, and its start if it is inside another file; the output is its statements, each with a span on every
word, and the problems. Numbers are exact, citations are expanded, and no tree is deeper than a recursive pass can
traverse. Reports the problems of the scanner, syntax errors, nesting and size.

One broken paragraph causes one report: the parser discards the paragraph (error_recovery.py) and continues with the
next, so that the remaining statements are complete.
"""

from itertools import islice
from typing import Any

from compiler.source.character_checks import UNPRINTABLE, lookalike_letters
from compiler.source.error_recovery import discard_paragraph, recover_from_error
from compiler.source.files import normalized_text
from compiler.source.finding import Finding
from compiler.source.findings.characters import OddSign, Unprintable
from compiler.source.findings.files import TooLarge
from compiler.source.findings.literals import TooDeep
from compiler.source.grammar import ParserTables, parser_tables
from compiler.source.nodes import Expression, RulesFile, Statement, Type
from compiler.source.parser_tables import BEGIN, END_OF_ACTIONS
from compiler.source.scanner import Scanner
from compiler.source.span import NOWHERE, Span

LARGEST_TEXT = 1_000_000
# The printed rules of the largest of these games have about 500 paragraphs.
MOST_STATEMENTS = 10_000
# Deep enough for `else if` over every kind of ground; passes recurse once or twice per level.
MOST_RULE_NESTING = 64
# The stack of the parser itself under excessive nesting; a level of the tree takes one to six entries.
_TALLEST = 8 * MOST_RULE_NESTING
# The terminals of names.
_NAMES = ("NAME", "LABEL", "STACK", "QUOTED")
# A text with more problems than these is most likely not rules.
MOST_PROBLEMS = 100


def parse_rules(text: str, file: str, start_span: Span = NOWHERE) -> tuple[RulesFile, tuple[Finding, ...]]:
    """Parse a whole `.rules` file, or a text inside another file that starts at `start_span`."""
    scanner = _scanner(text, file, start_span)
    if len(text) > LARGEST_TEXT:
        scanner.problems.append(TooLarge(scanner.span(0, 0), "characters", LARGEST_TEXT))
        return RulesFile(scanner.span(0, 0), "", ()), tuple(scanner.problems)
    statements: tuple[Statement, ...] = _shallow(_parse(scanner, parser_tables(), "start") or (), scanner)
    if len(statements) > MOST_STATEMENTS:
        scanner.problems.append(TooLarge(statements[MOST_STATEMENTS].span, "statements", MOST_STATEMENTS))
        statements = statements[:MOST_STATEMENTS]
    rules_file = RulesFile(scanner.span(0, len(scanner.text)), "", statements)
    return rules_file, tuple(scanner.problems)


def parse_expression(text: str, file: str, start_span: Span = NOWHERE) -> tuple[Expression | None, tuple[Finding, ...]]:
    """Parse a text that is one expression: a question, a victory condition."""
    scanner = _scanner(text[:LARGEST_TEXT], file, start_span)
    return _parse_one(scanner, "question")


def parse_type(text: str, file: str, start_span: Span) -> tuple[Type | None, tuple[Finding, ...]]:
    """Parse a text that is one type: `0..60 hexes`."""
    scanner = _scanner(text[:LARGEST_TEXT], file, start_span)
    return _parse_one(scanner, "written_type")


def following_keywords(text: str) -> tuple[frozenset[str], bool] | None:
    """Return the keywords that may follow the beginning of a paragraph, and whether a name may; None after an error."""
    scanner, grammar = _scanner(text[:LARGEST_TEXT], "", NOWHERE), parser_tables()
    parser = grammar.begin("start")
    stack = parser.state_stack
    scanner.takes = lambda terminal: grammar.accepts(stack, terminal)
    while (token := scanner.next_token(grammar.states[stack[-1]])).type != "$END":
        if not grammar.feed(parser, token) or len(stack) > _TALLEST:
            return None
        scanner.before = token.text
    if scanner.problems:
        return None
    words = grammar.vocabulary.words.items()
    keywords = frozenset(word for word, kinds in words if any(grammar.accepts(stack, kind) for kind in kinds))
    return keywords, any(grammar.accepts(stack, kind) for kind in _NAMES)


def _parse_one(scanner: Scanner, start: str) -> tuple[Any, tuple[Finding, ...]]:
    parsed = _parse(scanner, parser_tables(), start)
    trees = () if parsed is None else _shallow((parsed,), scanner)
    return (trees[0] if trees else None), tuple(scanner.problems)


def _scanner(text: str, file: str, start_span: Span) -> Scanner:
    text = normalized_text(text)
    first = (1, 1) if start_span == NOWHERE else (start_span.line, start_span.column)
    scanner = Scanner(text, file, parser_tables().vocabulary, first)
    # Nearly every text is printable, which Python tests faster than the search for a character that is not.
    suspects = () if text.replace("\n", "").isprintable() else UNPRINTABLE.finditer(text)
    for count, found in enumerate(suspects):
        if count < MOST_PROBLEMS:
            place = scanner.span(found.start(), found.end())
            scanner.problems.append(Unprintable(place, ord(found.group()[0])))
    for character_problem in islice(lookalike_letters(text), MOST_PROBLEMS):
        place = scanner.span(character_problem.start, character_problem.start + 1)
        scanner.problems.append(
            OddSign(place, character_problem.sign, character_problem.category, character_problem.letter)
        )
    return scanner


def _parse(scanner: Scanner, grammar: ParserTables, start: str) -> Any:
    """Feed tokens to the parser until the end; None if nothing could be recovered."""
    parser = grammar.begin(start)
    stack, states = parser.state_stack, grammar.states
    scanner.takes = lambda terminal: grammar.accepts(stack, terminal)
    while True:
        token = scanner.next_token(states[stack[-1]])
        feed_result = grammar.feed(parser, token)
        if not feed_result:
            if not recover_from_error(parser, scanner, grammar, token, scanner.before):
                return None
        elif feed_result == END_OF_ACTIONS:
            return parser.value_stack[-1]
        elif feed_result == BEGIN:
            scanner.after_error = False
            scanner.begin_member()
            if len(scanner.problems) > MOST_PROBLEMS:
                return None
        elif len(stack) > scanner.max_stack_depth:
            scanner.max_stack_depth = len(stack)
            if len(stack) > _TALLEST:
                if not any(isinstance(each, TooDeep) for each in scanner.problems):
                    scanner.problems.append(TooDeep(token.span, MOST_RULE_NESTING))
                if not discard_paragraph(parser, scanner, grammar):
                    return None
        scanner.before = token.text


def _shallow(parsed: tuple[Any, ...], scanner: Scanner) -> tuple[Any, ...]:
    """Discard statements that are nested too deeply."""
    scanner.begin_member()
    if scanner.max_stack_depth + scanner.longest <= MOST_RULE_NESTING:
        return parsed
    deep = {id(each) for each in parsed if _tree_depth(each) > MOST_RULE_NESTING}
    scanner.problems.extend(TooDeep(each.span, MOST_RULE_NESTING) for each in parsed if id(each) in deep)
    return tuple(each for each in parsed if id(each) not in deep)


def _tree_depth(node: Any) -> int:
    """Compute the number of levels of a tree, the root included; at most one more than `MOST_RULE_NESTING`."""
    level, below = [node], 0
    while level and below <= MOST_RULE_NESTING:
        below += 1
        level = [child for parent in level for child in _children(parent)]
    return below


def _children(node: Any) -> list[Any]:
    """Return the nodes directly below one; tuples are not levels."""
    waiting = [getattr(node, name) for name in node.__slots__ if name != "span"]
    found = []
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            waiting += part
        elif type(part).__module__.startswith("compiler.source.nodes"):
            found.append(part)
    return found
