"""The completions at a cursor, ranked.

In: the text before the cursor, the last stack that compiled, and the index. The line may be incomplete, so it is
parsed backwards from the cursor (value_before.py). Offers are ranked: those of the syntactic context; names in scope;
keywords and questions; all others.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from compiler.index.semantic_index import SemanticIndex
from compiler.source.files import split_lines
from compiler.source.parse import following_keywords
from compiler.typed.environment import PREDEFINED_TYPES, Environment, type_text
from compiler.typed.name_uses import LOCAL
from compiler.typed.values.calls import FUNCTIONS, SPECIAL
from compiler.typed.values.flags import possible_flags
from rulewright.serve.editor.cursor import text_before
from rulewright.serve.editor.value_before import LineContext, field_types, text_at, type_before, words_of_type
from rulewright.serve.editor.workspace import RULES, CompletionOffer, EditorWorkspace
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass

WORD = re.compile(r"[^\W\d][\w-]*$|'[^']*$")
# The beginning of a paragraph; an account belongs to the paragraph above it.
HEAD = re.compile(
    r"\s*(?:rule|ruling|define|example|action|resolution|reaction|sequence|precondition)\b|(?!\s|\}|account\b)\S"
)
AMENDED = re.compile(r"\b(?:exception to|replaces|suppresses|withdraws)\s+([\w-]+)")
# A list of labels.
LABELED = re.compile(
    r"\b(?:exception to|replaces|withdraws|suppresses|clarifies|because|refused by|forbidden by)\b[^.:(){}]*$"
)
COMPARED = re.compile(r"([\w.()', ]*?)\s*(?:!=|<=|>=|=|<|>)\s*$")
TESTED = re.compile(r"([\w.()', ]*?)\s+is\s+(?:not\s+)?(?:[\w]+\|)*$")
COMMENT = re.compile(r"^(?:[^\"]*\"[^\"]*\")*[^\"]*#")
CONTEXT, IN_SCOPE, QUESTIONS, REST = range(4)
LABELS = ("rule", "ruling", "case")
# The names that every game has.
ALWAYS = {
    "game": "the clock",
    "scenario": "the card",
    "player": "who acts",
    **dict.fromkeys((*FUNCTIONS, *SPECIAL), "function"),
    **dict.fromkeys(PREDEFINED_TYPES, "type"),
}


@frozen_dataclass
class _RankedOffer:
    """A completion at the cursor; lower ranks come first."""

    rank: int
    offer: CompletionOffer


def list_offers(workspace: EditorWorkspace, path: Path, text: str, line: int, column: int) -> list[_RankedOffer]:
    """Return the completions at a zero-based position, best first."""
    lines, before = split_lines(text), text_before(text, line, column)
    if COMMENT.match(before) or line >= len(lines):
        return []
    first, before_word = _first_line(lines, line), WORD.sub("", before)
    beginning = "\n".join((*lines[first:line], before_word))
    allowed = following_keywords(beginning) if path.suffix == RULES else None
    keywords, is_name_possible = allowed or (frozenset(), True)
    keyword_offers = [_RankedOffer(QUESTIONS, CompletionOffer(word, "keyword", "")) for word in sorted(keywords)]
    if not is_name_possible:
        return keyword_offers
    known = workspace.list_offers(path)
    with workspace.with_packages_in_reach(), workspace.index_of(path) as found:
        stack = workspace.stack_of(path)
        if found is None or stack is None or stack.graph is None or stack.env is None:
            return [*keyword_offers, *(_RankedOffer(REST, each) for each in known)]
        names = found.index.files.get(found.files.get(path.resolve(), ""), ())
        typed_names, typed_text = found.last_typed_names
        place = LineContext(lines, line, names, typed_names, split_lines(typed_text), first)
        offers = [_RankedOffer(CONTEXT, each) for each in _of_context(before_word, place, stack.env, known)]
        if not offers or COMPARED.search(before_word):
            offers += (_RankedOffer(IN_SCOPE, each) for each in _in_scope(place, stack.graph))
            offers += (_RankedOffer(QUESTIONS if each.kind == "question" else REST, each) for each in known)
            offers += (_RankedOffer(QUESTIONS, CompletionOffer(word, kind, "")) for word, kind in ALWAYS.items())
            offers += (_RankedOffer(REST, each) for each in _of_index(found.index))
        return _nearest_first((*offers, *keyword_offers), place, column)


def _of_context(
    before: str, place: LineContext, env: Environment, known: Iterable[CompletionOffer]
) -> Iterator[CompletionOffer]:
    """Yield the fields after a dot, what a value can be or equal, and labels after words such as `because`."""
    if before.endswith("."):
        for name, type_ in sorted(field_types(before[:-1], place, env).items()):
            yield CompletionOffer(name, type_text(type_), "")
    elif tested := TESTED.search(before):
        tested_type = type_before(tested[1], place, env)
        words = words_of_type(tested_type, env) or (tuple(possible_flags(tested_type, env)) if tested_type else ())
        yield from (CompletionOffer(word, "what it can be", "") for word in words)
    elif compared := COMPARED.search(before):
        words = words_of_type(type_before(compared[1], place, env), env)
        yield from (CompletionOffer(word, "member", "") for word in words)
    elif LABELED.search(before):
        yield from (each for each in known if each.kind in LABELS)


def _of_index(index: SemanticIndex) -> Iterator[CompletionOffer]:
    """Yield the names of a stack, without local ones."""
    for symbol in index.symbols():
        kind, _, name = symbol.partition(" ")
        word = name.rpartition(".")[2]
        if kind not in {LOCAL, "source"} and " " not in word:
            yield CompletionOffer(word, kind, "")


def _nearest_first(offers: Iterable[_RankedOffer], place: LineContext, column: int) -> list[_RankedOffer]:
    """Sort offers by rank, by the distance in lines of the nearest use in the file, and alphabetically.

    Of several offers of one word, the best is kept, as for a parameter that both the rule and its question declare.
    """
    distances: dict[str, int] = {}
    for name in place.names:
        if (name.span.line, name.span.column) != (place.line + 1, column + 1):
            word, distance = text_at(place.lines, name.span), abs(name.span.line - 1 - place.line)
            distances[word] = min(distance, distances.get(word, distance))
    farthest = len(place.lines)
    best_offers: dict[str, _RankedOffer] = {}
    for ranked in sorted(
        offers, key=lambda ranked: (ranked.rank, distances.get(ranked.offer.word, farthest), ranked.offer.word)
    ):
        best_offers.setdefault(ranked.offer.word, ranked)
    return list(best_offers.values())


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


def _in_scope(place: LineContext, rules: graph.Graph) -> Iterator[CompletionOffer]:
    """Yield the names that the enclosing paragraph binds before a line, and the parameters of its questions."""
    for name in place.names:
        kind = name.symbol.partition(" ")[0]
        if name.declares and kind in {LOCAL, "parameter"} and place.first < name.span.line <= place.line + 1:
            description = type_text(name.type) if name.type else "name"
            yield CompletionOffer(text_at(place.lines, name.span), description, "")
    for term in _spoken_on(place, rules):
        for parameter in rules.terms[term].parameters:
            yield CompletionOffer(parameter.name, type_text(parameter.type), "")
