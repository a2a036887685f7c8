"""The completions at a cursor, ranked, and the signature of the call around it.

In: the text before the cursor, the last stack that compiled, and the index. The line may be incomplete, so it is
parsed backwards from the cursor (expected_type.py). Offers are ranked: those of the syntactic context, names in scope
and fields, first those of the expected type; questions, likewise; all others.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from compiler.source.files import split_lines
from compiler.source.parse import following_keywords
from compiler.typed.environment import Environment, is_assignable, type_text
from compiler.typed.name_uses import LOCAL
from compiler.typed.values.calls import FUNCTIONS, SPECIAL, function_arguments
from compiler.typed.values.flags import possible_flags
from rulewright.editor.cursor import text_before
from rulewright.editor.expected_type import (
    LineContext,
    expected_type,
    field_types,
    innermost_call,
    parameters_of,
    text_at,
    type_before,
    words_of_type,
)
from rulewright.editor.place_names import CITING, PLACES, names_of_sort, type_names
from rulewright.editor.workspace import RULES, CompletionOffer, EditorWorkspace
from rulewright.library.stacks import Stack
from runtime.graph import nodes as graph
from runtime.graph.operators import OPERATORS

TOKEN = re.compile(r"[^\W\d]\w*")
TEXT_OR_COMMENT = re.compile(r'"[^"]*"|#.*')
# Where these may stand, any paragraph may begin.
PARAGRAPHS = {"measure", "rule"}
WORD = re.compile(r"[^\W\d][\w-]*$|'[^']*$")
# The beginning of a paragraph; an account belongs to the paragraph above it.
HEAD = re.compile(
    r"\s*(?:rule|ruling|define|example|action|resolution|reaction|sequence|precondition)\b|(?!\s|\}|account\b)\S"
)
ACTS = re.compile(r"(?:action|reaction|sequence)\b")
# The beginning of an iteration over pieces of a kind, records of a type, or a set.
PASSED = re.compile(r"(?:\bin\s+(?:all\s+)?|\b(?:all|some|every|count|sum|least|most)\s*\(?\s*)(?:\w+\|)*$")
AMENDED = re.compile(r"\b(?:exception to|replaces|suppresses|withdraws)\s+([\w-]+)")
# A name in a sentence is in braces.
IN_BRACES = re.compile(r'^[^"]*(?:"[^"]*"[^"]*)*"[^"{}]*(?:\{[^{}"]*\}[^"{}]*)*\{\s*(?:the\s+)?$')
ARGUMENT = re.compile(r"[(,]\s*$")
ASKED = re.compile(r"^\s*(?:ask|why)\s+(\w+)\(")
OWN_LABEL = re.compile(r"\s*(?:rule|ruling)\s+([\w-]+)")
SET = re.compile(r"^\s*set\s+[\w.]*\.$")
TESTED = re.compile(r"([\w.()', ]*?)\s+is\s+(?:not\s+)?(?:[\w]+\|)*$")
COMMENT = re.compile(r"^[^\"]*#|^(?:[^\"]*\"[^\"]*\")*[^\"]*#")
FIRST_RANK, IN_SCOPE, FITTING, QUESTIONS, REST = range(5)
# The names that every game has.
ALWAYS = {"game": "the clock", "scenario": "the card", "player": "who acts"} | dict.fromkeys(
    (*FUNCTIONS, *SPECIAL), "function"
)


@dataclass(frozen=True, slots=True)
class RankedOffer:
    """A completion at the cursor; lower ranks come first."""

    rank: int
    offer: CompletionOffer


@dataclass(frozen=True, slots=True)
class _Scoped:
    """A name in scope, with its type if known."""

    offer: CompletionOffer
    type: graph.Type | None


@dataclass(frozen=True, slots=True)
class CallSignature:
    """The signature of a call: its text, its parameters, the index of the active one, and its sentence."""

    label: str
    parameters: tuple[str, ...]
    active: int
    reads: str


def list_offers(workspace: EditorWorkspace, path: Path, text: str, line: int, column: int) -> list[RankedOffer]:
    """Return the completions at a zero-based position, best first."""
    before = text_before(text, line, column)
    lines = split_lines(text)
    if COMMENT.match(before) or line >= len(lines):
        return []
    first, text_before_word = _first_line(lines, line), before[: len(before) - len(_word(before))]
    beginning = "\n".join((*lines[first:line], text_before_word))
    keywords, is_name_possible = (following_keywords(beginning) if path.suffix == RULES else None) or (
        frozenset(),
        True,
    )
    keyword_offers = list(_keywords(keywords, lines, first, line, is_name_possible=is_name_possible))
    with workspace.with_packages_in_reach(), workspace.index_of(path) as found:
        stack = workspace.stack_of(path)
        known = {each.word: each for each in workspace.list_offers(path)}
        if found is None or stack is None or stack.graph is None or stack.env is None:
            return [*keyword_offers, *(RankedOffer(REST, each) for each in known.values())]
        names = found.index.files.get(found.files.get(path.resolve(), ""), ())
        typed_names, typed_text = found.last_typed_names
        place = LineContext(lines, line, names, typed_names, split_lines(typed_text), first)
        if not is_name_possible:
            return keyword_offers
        scope = list(_in_scope(place, stack.graph))
        expected = expected_type(text_before_word, place, stack.env)
        offers = list(_contextual_offers(text_before_word, place, stack, scope, known, expected))
        if offers:
            return _nearest_first((*offers, *keyword_offers), place, column)
    always = {**dict.fromkeys(type_names(stack.env), "type"), **ALWAYS}
    known |= {word: CompletionOffer(word, kind, "") for word, kind in always.items() if word not in known}
    types = FITTING if PASSED.search(text_before_word) else REST
    ranked = {word: RankedOffer(types if each.kind == "type" else REST, each) for word, each in known.items()}
    ranked |= {word: RankedOffer(QUESTIONS, known[word]) for word in ALWAYS}
    ranked |= {each.offer.word: each for each in keyword_offers}
    ranked |= {each.offer.word: each for each in _questions(stack.graph, known, expected)}
    ranked |= {each.offer.word: each for each in _by_type(scope, expected)}
    return _nearest_first(ranked.values(), place, column)


def _keywords(
    keywords: frozenset[str], lines: list[str], first: int, line: int, *, is_name_possible: bool
) -> Iterator[RankedOffer]:
    """Rank the keywords that may stand at a place: those that the file uses nearest to it first.

    In an indented line of a paragraph, those that begin another one are last.
    """
    rank = QUESTIONS if is_name_possible else FIRST_RANK
    farthest_first = sorted(set(range(len(lines))) - {line}, key=lambda each: -abs(each - line))
    code = ((abs(number - line), TEXT_OR_COMMENT.sub("", lines[number])) for number in farthest_first)
    distances = {word: distance for distance, part in code for word in TOKEN.findall(part)}
    beginnings, _ = following_keywords("") or ((), True)
    is_inside = _indentation(lines, line) > _indentation(lines, first)
    others = beginnings if is_inside and keywords.issuperset(PARAGRAPHS) else ()
    for word in sorted(keywords, key=lambda each: (distances.get(each, len(lines)), each)):
        yield RankedOffer(REST if word in others else rank, CompletionOffer(word, "keyword", ""))


def _indentation(lines: list[str], line: int) -> int:
    text = lines[line] if line < len(lines) else ""
    return len(text) - len(text.lstrip())


def _nearest_first(found: Iterable[RankedOffer], place: LineContext, column: int) -> list[RankedOffer]:
    """Sort offers by rank, by the distance in lines of the nearest use in the file, and alphabetically.

    Of several offers of one word, the best is kept, as for a parameter that both the rule and its question declare.
    """
    distances: dict[str, int] = {}
    for each in place.names:
        if (each.span.line, each.span.column) != (place.line + 1, column + 1):
            word, distance = text_at(place.lines, each.span), abs(each.span.line - 1 - place.line)
            distances[word] = min(distance, distances.get(word, distance))
    farthest = len(place.lines)
    ranked = sorted(found, key=lambda each: (each.rank, distances.get(each.offer.word, farthest), each.offer.word))
    best_offers: dict[str, RankedOffer] = {}
    for offer in ranked:
        best_offers.setdefault(offer.offer.word, offer)
    return list(best_offers.values())


def call_signature(workspace: EditorWorkspace, path: Path, text: str, line: int, column: int) -> CallSignature | None:
    """Return the signature of the call at a zero-based position; None outside of calls or for an unknown name."""
    called = innermost_call(text_before(text, line, column))
    stack = workspace.stack_of(path)
    if called is None or stack is None or stack.graph is None:
        return None
    name, active = called
    rules = stack.graph
    if term := rules.terms.get(name):
        return _signature(name, term.parameters, type_text(term.type), active, term.reads)
    if procedure := next((each for each in rules.procedures.values() if each.name == name), None):
        return _signature(name, procedure.parameters, "", active, procedure.prose or "")
    if event := rules.vocabulary.events.get(name):
        return _signature(name, event.parameters, "", active, "")
    if relation := rules.vocabulary.relations.get(name):
        return _signature(name, (relation.left, relation.right), "yes or no", active, "")
    if record := rules.vocabulary.records.get(name):
        return _signature(name, record.fields, name, active, "")
    if takes := function_arguments(name):
        return CallSignature(f"{name}({', '.join(takes)})", takes, active, OPERATORS[name].documentation)
    return None


def _signature(name: str, parameters: Iterable[graph.Parameter], gives: str, active: int, reads: str) -> CallSignature:
    written = tuple(f"{part.name}: {type_text(part.type)}" for part in parameters)
    ending = f": {gives}" if gives else ""
    return CallSignature(f"{name}({', '.join(written)}){ending}", written, active, reads)


def _contextual_offers(
    before: str,
    place: LineContext,
    stack: Stack,
    scope: list[_Scoped],
    known: dict[str, CompletionOffer],
    expected: graph.Type | None,
) -> Iterator[RankedOffer]:
    """Yield the offers of the syntactic context: fields after a dot, values of a type, names of a kind."""
    rules, env = stack.graph, stack.env
    assert rules is not None
    assert env is not None
    if IN_BRACES.search(before):
        yield from _ranked(each.offer for each in _bound(place, len(place.lines)))
    elif CITING.search(before):
        yield from _ranked(names_of_sort("citation", before, place, stack, known))
    elif ARGUMENT.search(before) and (labels := _labels(before, env)):
        yield from _ranked(CompletionOffer(name, "argument", "") for name in labels)
    elif before.endswith("."):
        found = field_types(before[:-1], place, env, settable=bool(SET.search(before)))
        yield from _by_type(
            (_Scoped(CompletionOffer(n, type_text(found[n]), ""), found[n]) for n in sorted(found)), expected
        )
    elif tested := TESTED.search(before):
        type_ = type_before(tested[1], place, env)
        words = words_of_type(type_, env) or (tuple(possible_flags(type_, env)) if type_ else ())
        yield from _ranked(CompletionOffer(word, "what it can be", "") for word in dict.fromkeys(words))
    elif words := words_of_type(expected, env):
        yield from _ranked(CompletionOffer(word, "member", "") for word in words)
        if expected == graph.Enum("side") and ACTS.match(place.lines[place.first]):
            yield RankedOffer(FIRST_RANK, CompletionOffer("player", ALWAYS["player"], ""))
        yield from _by_type(scope, expected)
        yield from (each for each in _questions(rules, known, expected) if each.rank == FITTING)
    else:
        sort = next((sort for pattern, sort in PLACES if pattern.search(before)), "")
        if sort in ("related", "paragraph"):
            yield from _paragraphs(sort, place, stack, known)
        elif sort == "here":
            yield from _by_type(scope, expected or graph.Hex())
        else:
            yield from _ranked(names_of_sort(sort, before, place, stack, known))


def _labels(before: str, env: Environment) -> tuple[str, ...]:
    """Return the labels that a call requires: those of a record, and of the choices of an act."""
    called = innermost_call(before)
    if called is None:
        return ()
    name, _ = called
    is_named = name in env.records or re.search(rf"\bact\s+{name}\([^()]*$", before)
    return tuple(part.name for part in parameters_of(name, env)) if is_named else ()


def _ranked(found: Iterable[CompletionOffer]) -> Iterator[RankedOffer]:
    yield from (RankedOffer(FIRST_RANK, each) for each in found)


def _by_type(found: Iterable[_Scoped], expected: graph.Type | None) -> Iterator[RankedOffer]:
    """Rank names in scope or fields: first those assignable to the expected type, or of unknown type."""
    for each in found:
        is_likely = expected is not None and (each.type is None or is_assignable(each.type, expected))
        yield RankedOffer(FIRST_RANK if is_likely else IN_SCOPE, each.offer)


def _questions(
    rules: graph.Graph, known: dict[str, CompletionOffer], expected: graph.Type | None
) -> Iterator[RankedOffer]:
    """Rank questions: first those whose type is assignable to the expected one."""
    for name in rules.terms.keys() & known.keys():
        is_likely = expected is not None and is_assignable(rules.terms[name].type, expected)
        yield RankedOffer(FITTING if is_likely else QUESTIONS, known[name])


def _paragraphs(
    sort: str, place: LineContext, stack: Stack, known: dict[str, CompletionOffer]
) -> Iterator[RankedOffer]:
    """Rank labels: first those of rules on the question of the line, or on the questions of the enclosing rule."""
    rules = stack.graph
    assert rules is not None
    question_match = ASKED.match(place.lines[place.line])
    questions = {question_match[1]} if question_match else set(_spoken_on(place, rules))
    label_match = OWN_LABEL.match(place.lines[place.first])
    labels = {*rules.rules, *rules.rulings, *(rules.cases if sort == "related" else ())}
    for label in sorted((labels & known.keys()) - {label_match[1] if label_match else ""}):
        rule = rules.rules.get(label)
        is_related = rule is not None and not questions.isdisjoint(rule.terms)
        yield RankedOffer(FIRST_RANK if is_related or not questions else IN_SCOPE, known[label])


def _first_line(lines: list[str], line: int) -> int:
    """Return the zero-based first line of the paragraph around a line."""
    return next((index for index in range(min(line, len(lines) - 1), -1, -1) if HEAD.match(lines[index])), 0)


def _spoken_on(place: LineContext, rules: graph.Graph) -> Iterator[str]:
    """Yield the questions that the enclosing paragraph has conclusions on, and those of rules it amends."""
    for text in place.lines[place.first : place.line + 1]:
        head = text.strip().partition(" ")[0].partition(".")[0]
        if head in rules.terms:
            yield head
        for label in AMENDED.findall(text):
            yield from rules.rules[label].terms if label in rules.rules else ()


def _in_scope(place: LineContext, rules: graph.Graph) -> Iterator[_Scoped]:
    """Yield the names that the enclosing paragraph binds before a line, and the parameters of its questions."""
    yield from _bound(place, place.line + 1)
    for term in _spoken_on(place, rules):
        yield from (
            _Scoped(CompletionOffer(p.name, type_text(p.type), ""), p.type) for p in rules.terms[term].parameters
        )


def _bound(place: LineContext, last: int) -> Iterator[_Scoped]:
    """Yield the names that the enclosing paragraph binds up to a one-based line."""
    after = next((index for index in range(place.line + 1, len(place.lines)) if HEAD.match(place.lines[index])), last)
    for each in place.names:
        kind = each.symbol.partition(" ")[0]
        if each.declares and kind in {LOCAL, "parameter"} and place.first < each.span.line <= min(after, last):
            description = type_text(each.type) if each.type else "name"
            yield _Scoped(CompletionOffer(text_at(place.lines, each.span), description, ""), each.type)


def _word(before: str) -> str:
    found = WORD.search(before)
    return found.group() if found else ""
