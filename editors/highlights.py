"""The query that tells editors how to color the nodes of Tree-sitter's tree.

In: the grammar of editors/tree_sitter.py and the scopes of editors/keywords.py. Out: the text of
queries/highlights.scm, whose captures have the names that Neovim and Helix know. No node has two captures, because
editors differ in which of them counts. Names have one where the grammar tells what they name.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from editors.keywords import keywords
from editors.textmate import SIGNS

# Nodes without parts.
LEAVES = {
    "comment": "comment",
    "string": "string",
    "quoted_name": "string.special",
    "citation": "string.special.url",
    "number": "number",
    "integer": "number",
    "label": "label",
    "stack": "module",
}
# Words and signs by their scopes; the first beginning of a scope counts.
SCOPES = {
    "constant.language": "constant.builtin",
    "keyword.control.conditional": "keyword.conditional",
    "keyword.control.loop": "keyword.repeat",
    "keyword.operator.logical": "keyword.operator",
    "keyword.operator.word": "keyword.operator",
    "keyword.operator": "operator",
    "keyword.other": "keyword",
    "punctuation.section": "punctuation.bracket",
    "punctuation": "punctuation.delimiter",
}
FUNCTION, KEYWORD = "function.builtin", "keyword"
# Names by the node in which they are, and by what stands before them.
NAMES = """(call . (identifier) @function.call)
(make . (identifier) @constructor)
(cell . (identifier) @function.call)
(do . "do" . (identifier) @function.call)
(tell . "tell" . (identifier) @function.call)
(perform . "act" . (identifier) @function.call)
(field "." (identifier) @variable.member)
(field_value . (identifier) @variable.member)
(param . (identifier) @variable.parameter)
(name_type (identifier) @type)
"""


def highlights(grammar: dict[str, Any]) -> str:
    """Return the text of the query for a grammar."""
    lines = ["; Written by `python3 -m editors.write` from the grammar of compiler/source."]
    lines += [f"({node}) @{capture}" for node, capture in LEAVES.items()]
    lines += [*_fixed_texts(), *_functions(grammar["rules"]), *_declared_names(grammar["rules"])]
    return "\n".join(lines) + "\n" + NAMES


def _fixed_texts() -> Iterator[str]:
    """Capture the words and signs that have one meaning."""
    known = keywords()
    captures = {each.word: _capture(each.scope) for each in known.anywhere}
    captures = dict.fromkeys((each.word for each in (*known.heads, *known.steps)), KEYWORD) | captures
    captures = dict.fromkeys(known.functions, FUNCTION) | captures
    captures |= {sign: _capture(scope) for scope, signs in SIGNS.items() for sign in signs}
    for capture in sorted({*captures.values()}):
        words = (text for text, of in captures.items() if of == capture and text not in _ambiguous())
        yield f"{_either(words)} @{capture}"


def _ambiguous() -> set[str]:
    """List the words that are a function in one rule and a keyword in another."""
    known = keywords()
    return {*known.functions} & {each.word for each in (*known.heads, *known.steps, *known.anywhere)}


def _functions(rules: dict[str, Any]) -> Iterator[str]:
    """Capture these words in each node that may have them; a rule of functions begins with nothing else."""
    for name, rule in rules.items():
        if words := _ambiguous().intersection(_strings(rule)):
            begins = rule["members"][0] if rule["type"] == "SEQ" else {}
            function = begins and {*keywords().functions}.issuperset(_strings(begins))
            yield f"({name} {_either(words)} @{FUNCTION if function else KEYWORD})"


def _declared_names(rules: dict[str, Any]) -> Iterator[str]:
    """Capture the names that paragraphs declare: a function if parameters follow, otherwise a type."""
    for name, rule in rules.items():
        members = rule.get("members", ())
        for place, each in enumerate(members):
            if each["type"] == "FIELD" and each["content"]["name"] == "identifier":
                called = members[place + 1 : place + 2] == [{"type": "STRING", "value": "("}]
                yield f"({name} name: (identifier) @{'function' if called else 'type'})"


def _capture(scope: str) -> str:
    return next(capture for beginning, capture in SCOPES.items() if scope.startswith(beginning))


def _strings(expression: Any) -> Iterator[str]:
    """Return the fixed texts in an expression."""
    if isinstance(expression, dict) and expression["type"] == "STRING":
        yield expression["value"]
    for part in expression.get("members", [expression[key] for key in ("content",) if key in expression]):
        yield from _strings(part)


def _either(texts: Iterable[str]) -> str:
    return f"[{' '.join(json.dumps(each) for each in sorted(texts))}]"
