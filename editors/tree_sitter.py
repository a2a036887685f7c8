"""A Tree-sitter grammar for .rules files, derived from the grammar that the compiler parses with.

In: the text of the grammar, as lark's own grammar of grammars reads it. Out: the grammar as the JSON from which
`tree-sitter generate` makes a parser in C (https://tree-sitter.github.io/tree-sitter).

Each rule has the name and the parts that it has in compiler/source/concrete.py, so that both trees are the same; tests
compare them. A word is a keyword where the parser can take it as one, as in the compiler. Tree-sitter has no rules that
match nothing: a rule that may be empty becomes one that is not, and is optional wherever it is used. A rule whose
alternatives replace it in the tree is a supertype.
"""

import json
from collections.abc import Iterable
from typing import Any

from lark import Lark

from compiler.source.building import whole_grammar
from compiler.source.grammar import STARTS, parser_tables
from editors.keywords import HEADS

LANGUAGE = "rulewright"
# The nodes of terminals without a fixed text. If two match the same letters where both may stand, the first counts.
NODES = {
    "LABEL": "label",
    "STACK": "stack",
    "INTEGER": "integer",
    "NUMBER": "number",
    "QUOTED": "quoted_name",
    "STRING": "string",
    "CITES": "citation",
    "COMMENT": "comment",
    "NAME": "identifier",
}
BLANK = {"type": "BLANK"}

# A tree of lark's grammar of grammars, or a token of it.
Syntax = Any
Expression = dict[str, Any]
# An expression that matches at least one token, and whether it may be left out.
Part = tuple[Expression, bool]


def grammar() -> dict[str, Any]:
    """Return the grammar as a JSON object."""
    return _Derivation(_grammar_tree()).grammar()


def grammar_text(value: dict[str, Any]) -> str:
    """Return the text of the file, each rule on a line of its own."""
    rules = ",\n".join(f"  {json.dumps(name)}: {json.dumps(rule)}" for name, rule in value["rules"].items())
    others = "".join(f" {json.dumps(name)}: {json.dumps(each)},\n" for name, each in value.items() if name != "rules")
    return f'{{\n{others} "rules": {{\n{rules}\n }}\n}}\n'


def _grammar_tree() -> Syntax:
    """Parse the grammar of the language."""
    reader = Lark.open_from_package("lark", "lark.lark", ("grammars",), parser="lalr", maybe_placeholders=False)
    return reader.parse(whole_grammar())


class _Derivation:
    """The rules of the grammar and what is derived from them.

    `alternatives` are those of a rule by the node that each of them becomes, `replaced` the rules that become no node
    themselves, `empty` those that may match nothing, and `patterns` the regular expressions of terminals.
    """

    def __init__(self, tree: Syntax) -> None:
        """Sort what the file declares."""
        self.alternatives: dict[str, dict[str, list[Syntax]]] = {}
        self.replaced: list[str] = []
        self.patterns: dict[str, Expression] = {}
        self.extras: list[Expression] = []
        for declared in tree.children:
            match _fields(declared):
                case ["rule", name, *_, body]:
                    self._add_rule(str(name), body)
                case ["token", name, *_, pattern] if name in NODES:
                    self.patterns[NODES[name]] = _pattern(pattern)
                case ["ignore", ignored]:
                    self.extras.append(_pattern(ignored) if ignored.data == "literal" else self._part(ignored)[0])
                case _:
                    """The fixed texts of other terminals are in the vocabulary of the parser."""
        self.texts: dict[str, list[str]] = {}
        vocabulary = parser_tables().vocabulary
        for text, terminals in (*vocabulary.words.items(), *vocabulary.symbols.items()):
            for terminal in terminals:
                self.texts.setdefault(terminal, []).append(text)
        self.empty: set[str] = set()
        while found := {name for name in self.alternatives if name not in self.empty and self._may_be_empty(name)}:
            self.empty |= found
        self.declaring = self._declaring(HEADS)

    def _add_rule(self, declared: str, body: Syntax) -> None:
        name = declared.lstrip("?")
        if name in STARTS[1:]:
            return
        if declared != name:
            self.replaced.append(name)
        nodes = self.alternatives.setdefault(name, {})
        for each in body.children if body.data == "expansions" else [body]:
            expansion, node = each.children if each.data == "alias" else (each, name)
            nodes.setdefault(str(node), []).append(expansion)

    def grammar(self) -> dict[str, Any]:
        """Return the grammar as a JSON object."""
        rules: dict[str, Expression] = {}
        for name, nodes in self.alternatives.items():
            for node, alternatives in nodes.items():
                rule = name if len(nodes) == 1 else node
                assert rule not in rules, f"two rules become {rule}"
                rules[rule] = _choice(self._alternative(name, each) for each in alternatives)
            if len(nodes) > 1:
                rules[f"_{name}"] = _choice(map(_symbol, nodes))
        for name in self.replaced:
            assert all(each["type"] in ("SYMBOL", "ALIAS") for each in _members(rules[name], "CHOICE")), name
        rules["start"] = _optional(rules["start"])
        return {
            "name": LANGUAGE,
            "word": NODES["NAME"],
            "rules": rules | {node: self.patterns[node] for node in NODES.values()},
            "extras": self.extras,
            "conflicts": [],
            "precedences": [],
            "externals": [],
            "inline": [],
            "supertypes": self.replaced,
        }

    def _may_be_empty(self, name: str) -> bool:
        expansions = [each for alternatives in self.alternatives[name].values() for each in alternatives]
        return any(self._part(each)[1] for each in expansions)

    def _declaring(self, names: Iterable[str]) -> set[str]:
        """List the rules of paragraphs, to which these rules lead."""
        found: set[str] = set()
        for name in names:
            if name in self.replaced:
                [alternatives] = self.alternatives[name].values()
                found |= self._declaring(str(token) for each in alternatives for token in each.scan_values(bool))
            else:
                found.add(name)
        return found

    def _alternative(self, name: str, expansion: Syntax) -> Expression:
        """Convert an alternative of a rule; the name that a paragraph declares is the field `name`."""
        expression, _ = self._part(expansion)
        if name in self.declaring and expression["type"] == "SEQ":
            members = expression["members"]
            named = 2 if members[0] in (extend := _string("extend"), _optional(extend)) else 1
            if members[named + 1 : named + 2] == [_string(".")]:
                named += 2
            if members[named] in [_symbol(NODES[each]) for each in ("NAME", "LABEL", "STRING")]:
                members[named] = {"type": "FIELD", "name": "name", "content": members[named]}
        # The node of a rule that is one word would be this word, and would have no part.
        return _alias(expression, expression["value"], named=False) if expression["type"] == "STRING" else expression

    def _part(self, tree: Syntax) -> Part:
        """Convert a part of a rule."""
        match _fields(tree):
            case ["expr", part, "?"] | ["maybe", part]:
                return self._part(part)[0], True
            case ["expr", part, "+" | "*" as operator]:
                expression, empty = self._part(part)
                return {"type": "REPEAT1", "content": expression}, empty or operator == "*"
            case ["expansions", *parts]:
                converted = [self._part(each) for each in parts]
                return _choice(expression for expression, _ in converted), any(empty for _, empty in converted)
            case ["expansion", *parts]:
                return _sequence([self._part(each) for each in parts])
            case ["literal", text]:
                return _string(text[1:-1]), False
            case ["name", name] if name in self.alternatives:
                return self._reference(str(name)), name in self.empty
            case ["name", name] if name in NODES:
                return _symbol(NODES[name]), False
            case ["name", name] if name in self.texts:
                return _choice(map(_string, self.texts[name])), False
            case _:
                raise ValueError(f"not converted: {tree}")

    def _reference(self, name: str) -> Expression:
        """Refer to a rule by its own name, by that of all its nodes, or as the one node that other rules become too."""
        node, *others = self.alternatives[name]
        if others:
            return _symbol(f"_{name}")
        return _symbol(name) if node == name else _alias(_symbol(name), node, named=True)


def _sequence(parts: list[Part]) -> Part:
    """Put parts behind each other; if all may be left out, at least one of them stands."""
    if not all(empty for _, empty in parts):
        members = [_optional(each) if empty else each for each, empty in parts]
        flat = [each for member in members for each in _members(member, "SEQ")]
        return (flat[0] if len(flat) == 1 else {"type": "SEQ", "members": flat}), False
    (first, _), *others = parts
    if not others:
        return first, True
    later, _ = _sequence(others)
    started, _ = _sequence([(first, False), *others])
    return _choice([started, later]), True


def _choice(alternatives: Iterable[Expression]) -> Expression:
    members: list[Expression] = []
    for alternative in alternatives:
        members += [each for each in _members(alternative, "CHOICE") if each not in members]
    return members[0] if len(members) == 1 else {"type": "CHOICE", "members": members}


def _members(expression: Expression, kind: str) -> list[Expression]:
    """Return the members of a choice or sequence; anything else is its only member."""
    members: list[Expression] = expression["members"] if expression["type"] == kind else [expression]
    return members


def _optional(expression: Expression) -> Expression:
    return _choice([expression, BLANK])


def _symbol(name: str) -> Expression:
    return {"type": "SYMBOL", "name": name}


def _string(text: str) -> Expression:
    return {"type": "STRING", "value": text}


def _alias(content: Expression, value: str, *, named: bool) -> Expression:
    return {"type": "ALIAS", "content": content, "named": named, "value": value}


def _fields(tree: Syntax) -> list[Any]:
    """Return the name of a tree, and its members."""
    return [str(tree.data), *tree.children]


def _pattern(literal: Syntax) -> Expression:
    """Convert a terminal, whose digits are those of ASCII; in Tree-sitter `\\d` is a digit of any script."""
    return {"type": "PATTERN", "value": literal.children[0][1:-1].replace(r"\d", "[0-9]").replace(r"\/", "/")}
