"""A TextMate grammar for .rules files, derived from the grammar that the compiler parses with.

In: the keywords of editors/keywords.py. Out: the grammar as JSON, as VS Code, Sublime Text, bat and others read it
(https://macromates.com/manual/en/language_grammars). Every keyword and sign of the language is in a pattern, so that
a keyword that is added to it makes the written file out of date; a test tells it.

A TextMate grammar cannot ask the parser which words are keywords where they stand. It knows where a line or block
begins, the word before and what stands behind: a word that only begins a paragraph is a keyword only there, and no word
is one before what cannot follow it. The patterns use what Oniguruma and Python's re have in common, and none spans
lines: no token of the language does.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from compiler.source.grammar import parser_tables
from editors.keywords import Keyword, Keywords, keywords

SCOPE = "source.rulewright"
NAME = r"[A-Za-z_][A-Za-z0-9_]*"
LABEL = r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*"
# Where a paragraph, a setting or a step begins.
BEGIN = r"(?:^|(?<=\{))\s*"
SIGNS = {
    "keyword.operator.range": ("..",),
    "keyword.operator.comparison": ("!=", "<=", ">=", "=", "<", ">"),
    "keyword.operator.arithmetic": ("+", "-", "*", "/"),
    "keyword.operator.alternative": ("|", "?"),
    "punctuation.separator": (",", ":"),
    "punctuation.accessor": (".",),
    "punctuation.section": ("(", ")", "[", "]", "{", "}"),
}

Pattern = dict[str, Any]


def grammar() -> dict[str, Any]:
    """Return the grammar as a JSON object."""
    known = keywords()
    parts = {
        "comment": [{"match": r"#.*$", "name": "comment.line.number-sign"}],
        "text": _texts(),
        "citation": [{"match": r"(?<![\w\])}'])\[[A-Za-z][^\[\]{}\"]*(?:\]|$)", "name": "constant.other.citation"}],
        "number": [_number(known)],
        "property": [
            {
                "match": rf"(?<!\.)(\.)({NAME})",
                "captures": {"1": {"name": "punctuation.accessor"}, "2": {"name": "variable.other.property"}},
            }
        ],
        "paragraph": [*_paragraphs(known)],
        "step": [*_steps(known)],
        "function": [{"match": rf"\b(?:{_either(known.functions)})(?=\()", "name": "support.function"}],
        "label": [{"match": r"\b[a-z][a-z0-9]*(?:-[a-z0-9]+)+\b", "name": "variable.other.constant.label"}],
        "parameter": [{"match": rf"\b{NAME}(?=\s*:)", "name": "variable.parameter"}],
        "keyword": [*_keywords(known)],
        "call": [
            {"match": rf"\b{NAME}(?=\()", "name": "entity.name.function.call"},
            {"match": rf"\b{NAME}(?=\[)", "name": "entity.name.function.chart"},
        ],
        "sign": [{"match": _either(each), "name": scope} for scope, each in SIGNS.items()],
    }
    return {
        "information_for_contributors": ["Written by `python3 -m editors.write` from the grammar of compiler/source."],
        "name": "Rulewright",
        "scopeName": SCOPE,
        "fileTypes": ["rules"],
        "patterns": [{"include": f"#{name}"} for name in parts],
        "repository": {name: {"patterns": [_scoped(each) for each in patterns]} for name, patterns in parts.items()},
    }


def _texts() -> list[Pattern]:
    """Match prose, with what is filled in between braces, and names in quotes; an unclosed one ends with its line."""
    filled = {"match": r"\{[^{}\"]*\}", "name": "constant.other.placeholder"}
    return [
        {"match": r"\"[^\"]*(?:\"|$)", "name": "string.quoted.double", "captures": {"0": {"patterns": [filled]}}},
        {"match": r"'[^']*(?:'|$)", "name": "string.quoted.single"},
    ]


def _number(known: Keywords) -> Pattern:
    """Match a number, and the measure behind it."""
    measure = rf"(?:[ \t]+(?!(?:{_either(each.word for each in known.anywhere)})\b)({NAME})(?!\s*[:(\[.-]))?"
    captures = {"1": {"name": "constant.numeric"}, "2": {"name": "keyword.other.unit"}}
    return {"match": rf"\b([0-9]+(?:/[0-9]+)?)\b{measure}", "captures": captures}


def _paragraphs(known: Keywords) -> Iterator[Pattern]:
    """Match the words that begin a paragraph, with the name it declares."""
    for scope, named, each in (
        ("entity.name.function", rf"({NAME})(?=\s*\()", known.call_heads),
        ("entity.name.function.label", rf"({LABEL})", known.label_heads),
        ("entity.name.type", rf"(?!none\b)({NAME})", known.name_heads),
    ):
        yield {
            "match": rf"{BEGIN}(?:(extend)\s+)?\b({_either(each)})\s+{named}",
            "captures": {"1": {"name": "storage.modifier"}, "2": {"name": "storage.type"}, "3": {"name": scope}},
        }


def _steps(known: Keywords) -> Iterator[Pattern]:
    """Match the other words that begin a paragraph, a setting or a step."""
    introduced = "|".join(rf"(?<=\b{word})" for word in known.introducing)
    for scope, where, each in (
        ("keyword.control", rf"(?:{BEGIN}|(?:{introduced})\s+)", known.steps),
        ("storage.type", BEGIN, known.heads),
    ):
        for refused, words in _by_followers(each):
            yield {"match": rf"{where}\b({words})\b{refused}", "captures": {"1": {"name": scope}}}


def _keywords(known: Keywords) -> Iterator[Pattern]:
    """Match the words that are keywords wherever they stand, or behind one other word."""
    for behind in sorted({each.behind for each in known.anywhere}, reverse=True):
        for scope in sorted({each.scope for each in known.anywhere}):
            for refused, words in _by_followers(
                each for each in known.anywhere if (each.behind, each.scope) == (behind, scope)
            ):
                if behind:
                    yield {"match": rf"(?<=\b{behind})\s+({words})\b{refused}", "captures": {"1": {"name": scope}}}
                else:
                    yield {"match": rf"\b(?:{words})\b{refused}", "name": scope}


def _by_followers(words: Iterable[Keyword]) -> Iterator[tuple[str, str]]:
    """Group words by what may follow them: a pattern that refuses other signs and operators, and one of the words."""
    letters = {sign[0] for sign in parser_tables().vocabulary.symbols}
    operators = {each.word for each in keywords().anywhere if each.scope.startswith("keyword.operator")}
    groups: dict[str, list[str]] = {}
    for each in words:
        signs = "".join(_plain(letter) for letter in sorted(letters - {text[0] for text in each.followers}))
        others = operators - each.followers
        refused = rf"(?!\s*[{signs}])" + (rf"(?!\s+(?:{_either(others)})(?![\w-]))" if others else "")
        groups.setdefault(refused, []).append(each.word)
    yield from ((refused, _either(each)) for refused, each in sorted(groups.items()))


def _either(texts: Iterable[str]) -> str:
    """Write an alternation of plain texts, each before its own beginnings."""
    return "|".join(_plain(each) for each in sorted(texts, key=lambda text: (-len(text), text)))


def _plain(text: str) -> str:
    return "".join(rf"\{letter}" if letter in r"\.+*?()[]{}|^$/-" else letter for letter in text)


def _scoped(value: Any) -> Any:
    """Add the name of the language to all scopes of a pattern, which is the convention."""
    if isinstance(value, list):
        return [_scoped(each) for each in value]
    if isinstance(value, dict):
        return {key: f"{each}.rulewright" if key == "name" else _scoped(each) for key, each in value.items()}
    return value
